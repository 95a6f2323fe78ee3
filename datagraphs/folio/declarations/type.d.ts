// How content looks: inks, palettes, typefaces, styles, paragraphs.

/** How the parts of an ink are given. */
type InkModel = "cmyk" | "rgb" | "grey" | "spot";

/** One printing colour of a palette. */
interface Ink {
  /** The name of the ink in its palette. */
  readonly name: string;
  /** How the parts of the ink are given. */
  readonly model: InkModel;
  /** The parts of the ink, each from 0 to 100, in the order of its model. */
  readonly parts: number[];
  /** True when the ink prints over what lies below instead of replacing it. */
  overprint: boolean;
  /** Gives the same ink at a strength from 0 to 100. */
  tint(strength: number): Ink;
  /** Gives an ink between this one and another, at a share from 0 to 1. */
  blend(other: Ink, share: number): Ink;
  /** Gives the nearest screen colour as six hexadecimal digits. */
  toHex(): string;
}

/** The inks that a layout may print with. */
interface Palette extends Item {
  /** All inks of the palette. */
  readonly inks: Sequence<Ink>;
  /** The ink that stands in for one that does not exist. */
  fallback: Ink;
  /** True between `lock` and `unlock`. */
  readonly isLocked: boolean;
  /** Gives the ink of that name, or null. */
  ink(name: string): Ink | null;
  /** Gives the ink of that name, or the fallback and a notice. */
  require(name: string): Ink;
  /** Adds an ink made of cyan, magenta, yellow and black. */
  addProcess(name: string, cyan: number, magenta: number, yellow: number, black: number): Ink;
  /** Adds an ink that is printed from its own plate. */
  addSpot(name: string, standIn?: Ink): Ink;
  /** Adds a grey with a strength from 0 to 100. */
  addGrey(name: string, strength: number): Ink;
  /** Takes an ink out of the palette. */
  drop(name: string): void;
  /** Refuses new inks until `unlock` is called. */
  lock(): void;
  /** Allows new inks again after `lock`. */
  unlock(): void;
}

/** One cut of a family of letters. */
interface Typeface extends Item {
  /** The name of the family. */
  family: string;
  /** The weight from 100 to 900. */
  weight: number;
  /** Whether the letters stand upright or lean. */
  slant: "upright" | "italic";
  /** The path of the file that holds the outlines. */
  file: string;
  /** True when the outlines are written into the output. */
  embed: boolean;
  /** True after `load` has read the file. */
  readonly isLoaded: boolean;
  /** The part of the size above the baseline, from 0 to 1. */
  readonly ascent: number;
  /** The part of the size below the baseline, from 0 to 1. */
  readonly descent: number;
  /** The typeface that is asked for letters that this one lacks, or null. */
  substitute: Typeface | null;
  /** Reads the file and gives the typeface once it can be used. */
  load(): Promise<Typeface>;
  /** Tells whether the typeface has a shape for a letter. */
  covers(letter: string): boolean;
  /** Gives the width of a text at a size. */
  widthOf(text: string, size: number): number;
}

/** One stop of a style to which a tab in the text advances. */
interface TabStop {
  /** The distance from the left edge of the container. */
  position: number;
  /** How text stands at the stop; "point" aligns decimal points. */
  align: "start" | "end" | "point";
  /** The letters that fill the gap before the stop. */
  leader: string;
}

/** How text looks. */
interface Style extends Item {
  /** The style that gives every value that is not set here, or null. */
  basedOn: Style | null;
  /** The typeface of the text. */
  typeface: Typeface | null;
  /** The size of the letters, in points whatever the unit of the layout. */
  size: number;
  /** The distance from baseline to baseline, in points. */
  leading: number;
  /** The ink of the text. */
  ink: Ink;
  /** How lines stand across the width. */
  align: Alignment;
  /** Extra space between letters, in thousandths of the size. */
  tracking: number;
  /** The indent of the first line of a paragraph. */
  firstIndent: number;
  /** The indent of all other lines of a paragraph. */
  hangingIndent: number;
  /** The space above a paragraph. */
  spaceBefore: number;
  /** The space below a paragraph. */
  spaceAfter: number;
  /** True when words may be divided at the end of a line. */
  hyphenate: boolean;
  /** The language whose rules divide words and quote, as a two-letter code. */
  language: string;
  /** How capitals are used. */
  caps: "asWritten" | "all" | "small";
  /** True when a paragraph stays on the page of the one that follows. */
  keepWithNext: boolean;
  /** The tab stops from left to right. */
  readonly tabs: Sequence<TabStop>;
  /** Makes a style that is based on this one. */
  derive(name: string): Style;
  /** Adds a tab stop and gives it. */
  addTab(position: number, align?: "start" | "end" | "point"): TabStop;
  /** Takes all tab stops off the style. */
  clearTabs(): void;
  /** Forgets every value set here, so that all come from `basedOn`. */
  reset(): void;
  /**
   * The distance from baseline to baseline, in points.
   * @deprecated use leading
   */
  lineHeight: number;
  /**
   * The name of the ink of the text.
   * @deprecated use ink
   */
  color: string;
}

/** Text that is broken into lines together. */
interface Paragraph extends Item {
  /** The style of the paragraph. */
  style: Style;
  /** The text without its styles. */
  readonly text: string;
  /** The runs of equal style, in order. */
  readonly runs: Sequence<TextRun>;
  /** How many lines the paragraph has, 0 while it is open. */
  readonly lineCount: number;
  /** The letters before the first line, such as a bullet or a number. */
  lead: string;
  /** The least number of lines that stand alone at the foot or head of a page. */
  orphans: number;
  /** Adds text at the end, in the paragraph's style or another. */
  append(text: string, style?: Style): TextRun;
  /** Ends the line at this place of the text. */
  breakLine(): void;
}

/** A stretch of a paragraph in one style. */
interface TextRun {
  /** The letters of the run. */
  readonly text: string;
  /** The style of the run. */
  readonly style: Style;
  /** How far the run is lifted above the baseline, in points. */
  lift: number;
  /** The line below the letters, or null for none. */
  underline: LinePattern | null;
  /** The anchor that the run leads to, or null. */
  target: Anchor | null;
}
