//! Any text as a script in each language, lowered and judged against the built-in apis: nothing panics, and what is found
//! stands in the text.
#![no_main]

use groundline::answers::check_symbols::{Code, judge};
use groundline::answers::free_names::Extent;
use groundline::base::Stop;
use groundline::corpus::{Corpus, embedded};
use groundline::sources::script::{Language, script};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    let embedded = ["ecmascript", "web", "node"].map(|name| embedded::datagraph(name).expect("it is embedded"));
    Corpus::new(embedded.into())
});

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    for language in [Language::JavaScript, Language::TypeScript, Language::Tsx] {
        let script = script(&text, language);
        for access in &script.accesses {
            assert!(access.span.end as usize <= text.len() && access.span.start <= access.span.end);
        }
        let code = Code { path: "code".to_owned(), text: text.clone(), script, extent: Extent::Whole };
        judge(&CORPUS, &code, &Stop::default());
    }
});
