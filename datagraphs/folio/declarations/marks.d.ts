// What is placed whole: rules, images, barcodes, shapes; and what leads from one place to another.

/** The kinds of marks that `layout.makeMark` makes. */
type MarkKind = "rule" | "image" | "barcode" | "shape";

/** The codes that a barcode can be printed in. */
type Symbology = "code128" | "ean13" | "qr" | "datamatrix";

/** A straight line on the page. */
interface Rule extends Placed {
  /** The weight of the line. */
  weight: number;
  /** How the line is drawn. */
  pattern: LinePattern;
  /** The ink of the line. */
  ink: Ink;
  /** True for a line that runs down instead of across. */
  vertical: boolean;
  /** How the ends of the line are cut. */
  ends: "flat" | "round";
  /** Draws the line from where it is to another place in its container. */
  drawTo(x: number, y: number): void;
  /**
   * The weight of the line.
   * @deprecated use weight
   */
  thickness: number;
}

/** A picture from a file. */
interface PageImage extends Placed {
  /** The path of the file. */
  path: string;
  /** What the image shows, for readers who cannot see it. */
  description: string;
  /** How the picture fills its width and height. */
  fit: "whole" | "cover" | "stretch";
  /** How much of what lies below is covered, from 0 to 100. */
  opacity: number;
  /** True for a picture that is shown left to right reversed. */
  mirrored: boolean;
  /** The dots for each inch at the present size, 0 before `load`. */
  readonly resolution: number;
  /** True when the file was read. */
  readonly isLoaded: boolean;
  /** Reads the file and gives the image once its size is known. */
  load(): Promise<PageImage>;
  /** Shows only a part of the picture, given in shares from 0 to 1. */
  crop(x: number, y: number, width: number, height: number): void;
  /** Shows the whole picture again. */
  uncrop(): void;
}

/** A value in a form that scanners read. */
interface Barcode extends Placed {
  /** The code in which the value is printed. */
  symbology: Symbology;
  /** The value that scanners read. */
  value: string;
  /** The empty space that is kept around the code. */
  quietZone: number;
  /** True when the value is printed below the code. */
  showsValue: boolean;
  /** The ink of the code. */
  ink: Ink;
  /** The check digit that folio adds, or an empty text. */
  readonly checkDigit: string;
  /** Called with the reason when the value cannot be printed in the symbology. */
  onReject: ((reason: string) => void) | null;
  /** Tells whether the value can be printed in the symbology. */
  accepts(value: string): boolean;
}

/** A drawn figure. */
interface Shape extends Placed {
  /** What figure it is. */
  outline: "rectangle" | "ellipse" | "polygon";
  /** The ink inside the figure, or null for none. */
  fill: Ink | null;
  /** The line around the figure. */
  readonly edge: Edge;
  /** The radius of the corners of a rectangle. */
  corner: number;
  /** How many corners a polygon has. */
  readonly pointCount: number;
  /** Adds a corner to a polygon. */
  addPoint(x: number, y: number): void;
  /** Takes all corners off a polygon. */
  clearPoints(): void;
}

/** How a mark is placed. */
interface PlaceOptions {
  /** The distance from the left edge of the container. */
  x?: number;
  /** The distance from the top edge of the container. */
  y?: number;
  /** The size as a share of the mark's own. */
  scale?: number;
  /** How the mark stands across the width when no `x` is given. */
  align?: Alignment;
  /** The layer on which the mark is drawn. */
  layer?: Layer;
}

/** A named place in the layout that others can refer to. */
interface Anchor extends Item {
  /** The title that outlines and references show. */
  title: string;
  /** The page that the anchor is on, or null before it is dropped. */
  readonly page: Page | null;
  /** The distance of the anchor from the top of its page. */
  readonly y: number;
  /** True when the anchor was dropped. */
  readonly isDropped: boolean;
  /** The references that lead here. */
  readonly references: Sequence<CrossReference>;
  /** Gives the page number as it is printed, or "?" before the job is composed. */
  pageLabel(): string;
}

/** A text that names the place of an anchor. */
interface CrossReference extends Item {
  /** The anchor that the reference leads to. */
  readonly anchor: Anchor;
  /** What is printed. */
  shows: "page" | "title" | "titleAndPage";
  /** The text as it is printed, known after `layout.compose`. */
  readonly text: string;
  /** True when anchor and reference are on the same page. */
  readonly isNear: boolean;
}

/** A note at the foot of a page. */
interface Footnote extends Item {
  /** The sign in the text and before the note. */
  mark: string;
  /** The text of the note. */
  text: string;
  /** The style of the note, or null. */
  style: Style | null;
  /** The page at whose foot the note is printed, or null. */
  readonly page: Page | null;
}

/** The tree of titles that a reader sees beside the pages. */
interface Outline {
  /** The entries of the first level. */
  readonly entries: Sequence<OutlineEntry>;
  /** How many levels are unfolded when the file is opened. */
  unfolded: number;
  /** Adds an entry at the end of a level, counted from 1. */
  add(title: string, anchor: Anchor, level?: number): OutlineEntry;
  /** Calls `fn` for every entry of every level, in reading order. */
  walk(fn: (entry: OutlineEntry, level: number) => void): void;
}

/** One title of the outline. */
interface OutlineEntry {
  /** The text of the entry. */
  title: string;
  /** The place that the entry leads to. */
  readonly anchor: Anchor;
  /** The level, counted from 1. */
  readonly level: number;
  /** The entries below this one. */
  readonly entries: Sequence<OutlineEntry>;
}

/** A number that goes up, for figures, items or positions. */
interface Counter extends Item {
  /** The present value. */
  value: number;
  /** By how much `next` goes up. */
  step: number;
  /** How the value is written. */
  format: NumberFormat;
  /** Goes up by one step and gives the value. */
  next(): number;
  /** Goes back to a value, or to 0. */
  reset(value?: number): void;
  /** Gives the value as it is printed. */
  text(): string;
}
