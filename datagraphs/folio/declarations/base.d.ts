// What all parts of folio share: choices, the common base of all items, geometry, sequences.

/** The unit in which all lengths of a layout are given. */
type LengthUnit = "mm" | "pt" | "in" | "pica";

/** Where content stands across the width of its container. */
type Alignment = "start" | "middle" | "end" | "spread";

/** Where content stands in the height of its container. */
type Standing = "head" | "middle" | "foot";

/** What a container does with content that is too long for it. */
type Overflow = "flow" | "clip" | "shrink" | "refuse";

/** How a line is drawn. */
type LinePattern = "solid" | "dashed" | "dotted" | "double";

/** The kinds of items that a layout can hold. */
type ItemKind =
  | "job" | "section" | "page" | "master" | "header" | "footer" | "numbering"
  | "block" | "columns" | "layer" | "stream" | "hold" | "trial" | "paragraph"
  | "table" | "head" | "group" | "column" | "row" | "cell"
  | "rule" | "image" | "barcode" | "shape" | "anchor" | "reference" | "footnote"
  | "style" | "typeface" | "palette" | "counter" | "source";

/** How bad a notice is. */
declare enum Severity {
  /** Worth knowing, nothing looks wrong. */
  Remark = 0,
  /** The page differs from what was asked for. */
  Warning = 1,
  /** Content is missing from the page. */
  Severe = 2,
}

/** The side of the sheet that a page is printed on. */
declare enum PageSide {
  /** The side that faces the reader first, the right-hand page of a bound document. */
  Front = 0,
  /** The other side, the left-hand page of a bound document. */
  Back = 1,
}

/** The common base of everything that a layout makes, opens or keeps. */
interface Item {
  /** The identifier that folio gives to the item, unique in the layout. */
  readonly id: string;
  /** The name under which `layout.find` finds the item. */
  name: string;
  /** What sort of item it is. */
  readonly kind: ItemKind;
  /** The item inside which this one was opened or placed, or null outside all others. */
  readonly owner: Item | null;
  /** True between the opener of the item and its closer. */
  readonly isOpen: boolean;
  /** A free remark that is kept with the item and never printed. */
  remark: string;
  /** Gives the value that was tagged on the item under `key`, or null. */
  tag(key: string): string | null;
  /** Tags the item with a value under `key`. */
  setTag(key: string, value: string): void;
  /** Takes the tag under `key` off the item. */
  clearTag(key: string): void;
  /** Gives one line of text that names the item and its place, for logs. */
  describe(): string;
  /** Tells whether this and `other` are the same item of the layout. */
  sameAs(other: Item): boolean;
}

/** An item with a place and a size, measured from the top left corner of its container. */
interface Placed extends Item {
  /** The distance from the left edge of the container. */
  x: number;
  /** The distance from the top edge of the container. */
  y: number;
  /** The width; 0 stands for the width of the container. */
  width: number;
  /** The height; 0 stands for as high as the content needs. */
  height: number;
  /** The distance of the right edge from the left edge of the container. */
  readonly right: number;
  /** The distance of the bottom edge from the top edge of the container. */
  readonly bottom: number;
  /** The turn around the top left corner, in degrees, clockwise. */
  rotation: number;
  /** False for an item that takes its space and is not printed. */
  visible: boolean;
  /** The page on which the item begins, or null before it is placed. */
  readonly page: Page | null;
  /** Moves the item to a place in its container. */
  moveTo(x: number, y: number): void;
  /** Moves the item by a distance from where it is. */
  moveBy(right: number, down: number): void;
  /** Gives the item a width and a height. */
  sizeTo(width: number, height: number): void;
  /** Sizes the item so that it fits into another one. */
  fitTo(other: Placed, sides?: "width" | "height" | "both"): void;
  /** Tells whether the item and `other` cover each other anywhere. */
  overlaps(other: Placed): boolean;
  /**
   * The distance from the left edge of the container.
   * @deprecated use x
   */
  left: number;
  /**
   * The distance from the top edge of the container.
   * @deprecated use y
   */
  top: number;
}

/** A placed item that holds content: blocks, cells, layers, column sets, headers and footers. */
interface Container extends Placed {
  /** The items that stand directly in the container, in the order in which they were placed. */
  readonly items: Sequence<Placed>;
  /** True while nothing was written or placed in the container. */
  readonly isEmpty: boolean;
  /** The height that is still free below the content. */
  readonly freeHeight: number;
  /** The space between the edges and the content. */
  readonly inset: Inset;
  /** The lines around the container. */
  readonly edges: EdgeSet;
  /** The ink that fills the container, or null for none. */
  fill: Ink | null;
  /** What is done with content that is too long. */
  overflow: Overflow;
  /** Where the content stands in the height of the container. */
  standing: Standing;
  /** Called when content does not fit, with the notice that was logged. */
  onOverflow: ((notice: Notice) => void) | null;
  /** Finds an item by name, at any depth, or gives null. */
  item(name: string): Placed | null;
  /** Calls `fn` for every item that stands directly in the container. */
  each(fn: (item: Placed, index: number) => void): void;
  /** Measures the content as it stands. */
  measure(): Extent;
  /** Takes one item out of the container and tells whether it was there. */
  takeOut(item: Placed): boolean;
  /** Takes all content out of the container. */
  empty(): void;
}

/** A list that the layout keeps up to date and a script only reads. */
interface Sequence<T> {
  /** How many entries there are. */
  readonly count: number;
  /** The first entry, or null when there is none. */
  readonly first: T | null;
  /** The last entry, or null when there is none. */
  readonly last: T | null;
  /** Gives the entry at an index, counted from 0, or null. */
  at(index: number): T | null;
  /** Calls `fn` for every entry in order. */
  each(fn: (entry: T, index: number) => void): void;
  /** Gives an array of what `fn` makes of every entry. */
  map<R>(fn: (entry: T, index: number) => R): R[];
  /** Gives the entries for which `test` is true. */
  where(test: (entry: T, index: number) => boolean): T[];
  /** Gives the index of an entry, or -1. */
  indexOf(entry: T): number;
  /** Gives all entries as a new array. */
  toArray(): T[];
}

/** The space that content takes. */
interface Extent {
  /** The width of the widest line or item. */
  readonly width: number;
  /** The height from the first to the last line or item. */
  readonly height: number;
  /** How many lines of text there are. */
  readonly lines: number;
  /** How many pages the content touches. */
  readonly pages: number;
  /** True when part of the content did not fit. */
  readonly overflowed: boolean;
}

/** Four distances, one for each side. */
interface Inset {
  /** The distance at the top. */
  top: number;
  /** The distance on the right. */
  right: number;
  /** The distance at the bottom. */
  bottom: number;
  /** The distance on the left. */
  left: number;
  /** Sets all four distances to the same value. */
  setAll(distance: number): void;
  /** Sets top and bottom to one value, left and right to another. */
  setPair(vertical: number, horizontal: number): void;
  /** Takes the four distances of another inset. */
  copyFrom(other: Inset): void;
}
