//! Bytes to text: UTF-8, UTF-16 with a byte order mark, and whatever is nearly UTF-8.

/// A file's text and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text; without a byte order mark where it was UTF-16, with it where it was UTF-8.
    pub text: String,
    /// How the bytes became text.
    pub decoding: Decoding,
}

/// How bytes became text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoding {
    /// They are UTF-8.
    Utf8,
    /// They are UTF-16 with a byte order mark; places count in the decoded text.
    Utf16,
    /// They are not UTF-8 everywhere; what is not, is shown as U+FFFD.
    Lossy,
}

/// The text that `bytes` are, or nothing where they are binary (they hold a NUL).
pub fn decoded(bytes: &[u8]) -> Option<Text> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Some(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Some(utf16(rest, u16::from_be_bytes)),
        _ if bytes.contains(&0) => None,
        _ => Some(match std::str::from_utf8(bytes) {
            Ok(text) => Text { text: text.to_string(), decoding: Decoding::Utf8 },
            Err(_) => Text {
                text: String::from_utf8_lossy(bytes).into_owned(),
                decoding: Decoding::Lossy,
            },
        }),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Text {
    let (pairs, _odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    Text { text: text.collect(), decoding: Decoding::Utf16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read_or_named_binary() {
        let read = |bytes: &[u8]| decoded(bytes).map(|t| (t.text, t.decoding));
        assert_eq!(read(b"\xff\xfea\0\xe9\0"), Some(("aé".into(), Decoding::Utf16)));
        assert_eq!(read(b"\xfe\xff\0a\0"), Some(("a".into(), Decoding::Utf16)));
        assert_eq!(read("é".as_bytes()), Some(("é".into(), Decoding::Utf8)));
        assert_eq!(read(b"caf\xe9"), Some(("caf\u{fffd}".into(), Decoding::Lossy)));
        assert_eq!(read(b"a\0b"), None);
    }
}
