// The looks that all documents of Tarn & Fell share. Importing this file makes the inks and styles once.

const palette = layout.palette;
palette.addProcess("moss", 62, 18, 80, 22);
palette.addProcess("moss-light", 14, 3, 20, 0);
palette.addProcess("rust", 8, 70, 85, 12);
palette.addGrey("slate", 78);
palette.addGrey("mist", 12);
palette.lock();

export const roman = layout.makeTypeface("Fellside", "fonts/Fellside-Roman.otf");
roman.embed = true;

export const bold = layout.makeTypeface("Fellside", "fonts/Fellside-Bold.otf");
bold.weight = 700;
bold.embed = true;
bold.substitute = roman;

const body = layout.makeStyle("body");
body.typeface = roman;
body.size = 9.5;
body.leading = 13;
body.ink = palette.require("slate");
body.language = "en";
body.hyphenate = true;

const small = body.derive("small");
small.size = 7.5;
small.leading = 10;
small.hyphenate = false;

const strong = body.derive("strong");
strong.typeface = bold;

const heading = strong.derive("heading");
heading.size = 15;
heading.leading = 18;
heading.ink = palette.require("moss");
heading.spaceAfter = 3;
heading.keepWithNext = true;

const amount = body.derive("amount");
amount.align = "end";
amount.hyphenate = false;

const warning = strong.derive("warning");
warning.ink = palette.require("rust");

export const styles = { body, small, strong, heading, amount, warning };

/** Reads the font files; every script waits for this before it writes. */
export async function loadTypefaces() {
  await Promise.all([roman.load(), bold.load()]);
  if (!roman.covers("£")) {
    layout.log.raise(Severity.Warning, "NO_POUND", "Fellside Roman has no pound sign", roman);
  }
}
