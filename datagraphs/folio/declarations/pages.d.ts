// Pages and what repeats on them: masters, sections, headers, footers, page numbers.

/** The sheet sizes that folio knows by name. */
type PageSize = "A3" | "A4" | "A5" | "B5" | "letter" | "legal";

/** A choice of pages by their place in the section or their side. */
type PageChoice = "every" | "first" | "notFirst" | "front" | "back" | "last";

/** How a number is written. */
type NumberFormat = "arabic" | "romanUpper" | "romanLower" | "alphabetic" | "none";

/** One page of the layout. */
interface Page extends Item {
  /** The place of the page in the whole job, counted from 1. */
  readonly ordinal: number;
  /** The page number as it is printed, or an empty text. */
  readonly label: string;
  /** The side of the sheet that the page is printed on. */
  readonly side: PageSide;
  /** The section that the page belongs to. */
  readonly section: Section;
  /** The master that the page was made from. */
  readonly master: PageMaster;
  /** The width of the page. */
  readonly width: number;
  /** The height of the page. */
  readonly height: number;
  /** The header on the page, or null. */
  readonly header: Header | null;
  /** The footer on the page, or null. */
  readonly footer: Footer | null;
  /** The page before, or null. */
  readonly previous: Page | null;
  /** The page after, or null. */
  readonly next: Page | null;
  /** The items that begin on the page. */
  readonly items: Sequence<Placed>;
  /** True when nothing is on the page but what repeats. */
  readonly isBlank: boolean;
  /** Gives the layer of that name as shown on the page, or null. */
  layer(name: string): Layer | null;
  /** Turns the page when it is shown on a screen. */
  turn(degrees: 0 | 90 | 180 | 270): void;
}

/** The pattern from which pages are made. */
interface PageMaster extends Item {
  /** The width of the page. */
  readonly width: number;
  /** The height of the page. */
  readonly height: number;
  /** The space between the edges of the page and its content. */
  readonly margins: Inset;
  /** How many columns text runs through. */
  columns: number;
  /** The distance between columns. */
  gutter: number;
  /** How far content may reach over the edge of the page. */
  bleed: number;
  /** True when left and right margins change places on back pages. */
  mirrored: boolean;
  /** The layer below the content of every page, or null. */
  background: Layer | null;
  /** The layer above the content of every page, or null. */
  foreground: Layer | null;
  /** Sets the size of the page by name. */
  setSize(size: PageSize, orientation?: "upright" | "wide"): void;
  /** Sets the size of the page by width and height. */
  setSize(width: number, height: number): void;
  /** Makes a master that begins with the settings of this one. */
  derive(name: string): PageMaster;
}

/** A run of pages with one master, its own header and footer, and one numbering. */
interface Section extends Item {
  /** The master of the pages of the section. */
  master: PageMaster;
  /** The numbering of the section, or null to go on with the one before. */
  numbering: PageNumbering | null;
  /** On which side of the sheet the section begins. */
  startsOn: "any" | "front" | "back";
  /** True between `layout.sectionStart` and `layout.sectionBody`. */
  readonly inFront: boolean;
  /** The headers of the section. */
  readonly headers: Sequence<Header>;
  /** The footers of the section. */
  readonly footers: Sequence<Footer>;
  /** The pages of the section. */
  readonly pages: Sequence<Page>;
  /** How far the content of the first page begins below the top margin. */
  sink: number;
  /** Takes headers, footers and numbering from another section. */
  inheritFrom(other: Section): void;
  /** Calls `fn` for every page of the section. */
  eachPage(fn: (page: Page, index: number) => void): void;
}

/** What headers and footers have in common: content that is printed again on every page of a section. */
interface Strip extends Container {
  /** The pages on which the strip is printed. */
  shownOn: PageChoice;
  /** The distance between the strip and the content of the page. */
  distance: number;
  /** The line between the strip and the content, or null. */
  rule: Rule | null;
  /** Called before the strip is printed on a page, so that its content can differ. */
  onPrint: ((page: Page) => void) | null;
  /** Leaves the strip off one page. */
  skipOn(page: Page): void;
}

/** What is printed above the content of a page. */
interface Header extends Strip {
  /** The text that the last heading on the page hands to the header. */
  readonly runningTitle: string;
  /** Which heading on the page is handed to the header. */
  titleFrom: "firstOnPage" | "lastOnPage";
  /** True when the top margin grows with the header. */
  pushesContent: boolean;
}

/** What is printed below the content of a page. */
interface Footer extends Strip {
  /** The numbering that the footer prints, or null. */
  numbering: PageNumbering | null;
  /** Where the page number stands in the footer. */
  numberAlign: Alignment;
  /** True when footnotes are printed above the footer, false when on the last page. */
  keepsFootnotes: boolean;
}

/** How pages are numbered. */
interface PageNumbering extends Item {
  /** How the numbers are written. */
  format: NumberFormat;
  /** The number of the first page. */
  startAt: number;
  /** The letters before the number. */
  prefix: string;
  /** The letters after the number. */
  suffix: string;
  /** The number of the current page. */
  readonly current: number;
  /** The number of the last page, 0 until the job is composed. */
  readonly total: number;
  /** True between `suspend` and `resume`. */
  readonly isSuspended: boolean;
  /** Called when the number of the current page changes. */
  onChange: ((current: number) => void) | null;
  /** Stops counting, so that the pages that follow have no number until `resume`. */
  suspend(): void;
  /** Counts on after `suspend`. */
  resume(): void;
  /** Begins to count again, from `at` or from `startAt`. */
  restart(at?: number): void;
  /** Gives the number of a page as it is printed. */
  textFor(page: Page): string;
  /** Writes a place that shows the current page number. */
  writeCurrent(style?: Style): void;
  /** Writes a place that shows the number of the last page. */
  writeTotal(style?: Style): void;
  /**
   * How the numbers are written.
   * @deprecated use format
   */
  style: NumberFormat;
}
