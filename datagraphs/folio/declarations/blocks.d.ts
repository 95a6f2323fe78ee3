// What holds content: blocks, column sets, layers, streams, holds and trials.

/** A rectangle on the page that holds content; scripts often call it a box. */
interface Block extends Container {
  /** True when the block stays where it was put and text runs around it. */
  floating: boolean;
  /** The distance that text keeps from a floating block. */
  clearance: number;
  /** True when the block may go on over the end of a page. */
  splits: boolean;
  /** The radius of the corners. */
  corner: number;
  /** How many degrees the content is turned inside the block. */
  contentTurn: 0 | 90 | 180 | 270;
  /** The style of text that is written in the block without another, or null for the current one. */
  style: Style | null;
  /** The block that takes the text which does not fit here, or null. */
  nextBlock: Block | null;
  /** The block from which text flows into this one, or null. */
  readonly previousBlock: Block | null;
  /** The layer on which the block is drawn, or null for the page itself. */
  layer: Layer | null;
  /** Called when the block goes on to another page. */
  onSplit: ((page: Page) => void) | null;
  /** Makes a block with the same settings and no content. */
  duplicate(name?: string): Block;
  /** Sets the height to what the content needs. */
  shrinkToContent(): Extent;
  /** Takes the place below another block, with the same left edge and width. */
  placeBelow(other: Block, gap?: number): void;
  /** Takes the place to the right of another block, with the same top edge. */
  placeBeside(other: Block, gap?: number): void;
}

/** Columns of equal width that text runs through from left to right. */
interface ColumnSet extends Container {
  /** How many columns there are. */
  readonly columnCount: number;
  /** The distance between columns. */
  gutter: number;
  /** True when the columns end at the same height. */
  balanced: boolean;
  /** The line between columns, or null for none. */
  divider: Rule | null;
  /** The number of the column that is being filled, counted from 1. */
  readonly currentColumn: number;
}

/** A sheet over or under the content of the page. */
interface Layer extends Container {
  /** The place in the pile; a higher layer covers a lower one, the page itself is at 0. */
  order: number;
  /** How much of what lies below is covered, from 0 to 100. */
  opacity: number;
  /** False for a layer that is seen in previews only. */
  printed: boolean;
  /** The pages on which the layer is shown. */
  shownOn: PageChoice;
  /** The blocks that are drawn on the layer. */
  readonly blocks: Sequence<Block>;
  /** Puts the layer directly over another one. */
  raiseOver(other: Layer): void;
  /** Puts the layer directly under another one. */
  lowerUnder(other: Layer): void;
  /** Makes a layer with the same content for another choice of pages. */
  repeatOn(pages: PageChoice): Layer;
}

/** Content that is set now and poured into blocks later. */
interface Stream extends Item {
  /** The blocks that the stream has been poured into, in order. */
  readonly blocks: Sequence<Block>;
  /** The height of the content that is still to be poured. */
  readonly restHeight: number;
  /** True when all content was poured. */
  readonly isExhausted: boolean;
  /** The width for which the content is set before a block is known. */
  measureWidth: number;
  /** What is done with content that is left when the layout ends. */
  leftover: "log" | "drop" | "newPage";
  /** Called when the last line was poured. */
  onExhausted: (() => void) | null;
  /** Pours as much as fits into a block and gives the space taken. */
  pour(block: Block): Extent;
  /** Pours into one block after the other and gives those that were used. */
  pourThrough(blocks: Block[]): Block[];
  /** Takes poured content back, so that it can be poured again. */
  rewind(): void;
  /** Cuts the stream at a height and gives the second part. */
  splitAt(height: number): Stream;
  /** Adds the content of another stream at the end. */
  join(other: Stream): void;
  /**
   * Pours as much as fits into a block.
   * @deprecated use pour
   */
  pourInto(block: Block): void;
}

/** Content that is kept on one page. */
interface Hold extends Item {
  /** The space that the held content takes. */
  readonly extent: Extent;
  /** True when the content went to a new page to stay together. */
  readonly moved: boolean;
  /** True when the content is longer than a page and was divided after all. */
  readonly broken: boolean;
}

/** Content that is set for trial and then kept or dropped. */
interface Trial extends Item {
  /** The space that the content takes. */
  readonly extent: Extent;
  /** True when the content ends on the page on which it began. */
  readonly fits: boolean;
  /** What became of the trial. */
  readonly outcome: "undecided" | "kept" | "dropped";
  /** The notices that the content raised, which reach the log only when it is kept. */
  readonly notices: Notice[];
  /** Puts the content on the page as it was set. */
  keep(): void;
  /** Drops the content and puts the pen back where it was. */
  drop(): void;
}
