// The one global: what it keeps, makes, opens, closes and writes; notices, faults and jobs.

/** The files that a job can write. */
type OutputFormat = "pdf" | "postscript" | "preview";

/** Something that went wrong with content while the layout went on. */
interface Notice {
  /** How bad it is. */
  readonly severity: Severity;
  /** A short code that never changes, such as "OVERFLOW". */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  /** The item that the notice is about, or null. */
  readonly item: Item | null;
  /** The page that the notice is about, or null. */
  readonly page: Page | null;
  /** Takes the notice off the log. */
  dismiss(): void;
}

/** All notices of a layout, in the order in which they came. */
interface NoticeLog {
  /** All notices. */
  readonly notices: Sequence<Notice>;
  /** The severity of the worst notice, or null when there is none. */
  readonly worst: Severity | null;
  /** Notices below this severity are not kept. */
  threshold: Severity;
  /** Logs a notice of the script's own. */
  raise(severity: Severity, code: string, message: string, item?: Item): Notice;
  /** Writes a line to the log of the run, which is not part of the notices. */
  trace(message: string): void;
  /** Gives how many notices there are, of one severity or of all. */
  countOf(severity?: Severity): number;
  /** Gives all notices with a code. */
  withCode(code: string): Notice[];
  /** Takes all notices off the log. */
  clear(): void;
}

/** What folio throws when calls do not fit together. */
interface LayoutFault {
  /** A short code that never changes, such as "NOT_OPEN". */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  /** The item that the call was about, or null. */
  readonly item: Item | null;
  /** The items that were open, the innermost last. */
  readonly openItems: Item[];
  /** The opener or closer that would have fitted, or an empty text. */
  readonly expected: string;
}

/** One file that is written. */
interface PrintJob extends Item {
  /** The path of the file. */
  path: string;
  /** The kind of file. */
  format: OutputFormat;
  /** The title in the properties of the file. */
  title: string;
  /** The author in the properties of the file. */
  author: string;
  /** How many copies a printer makes. */
  copies: number;
  /** True when both sides of the sheet are printed. */
  duplex: boolean;
  /** The words printed across every page, or an empty text. */
  stamp: string;
  /** How many pages the job has. */
  readonly pageCount: number;
  /** Called after each page is written, with the pages done and the pages in all. */
  onProgress: ((done: number, total: number) => void) | null;
  /** Writes the file. */
  write(): Promise<JobReceipt>;
  /** Makes a picture of one page and gives its path. */
  preview(page: Page, resolution?: number): Promise<string>;
  /** Leaves the file unwritten. */
  cancel(): void;
}

/** What became of a job. */
interface JobReceipt {
  /** The path of the file that was written. */
  readonly path: string;
  /** How many pages were written. */
  readonly pageCount: number;
  /** How many bytes the file has. */
  readonly byteCount: number;
  /** The notices that were logged. */
  readonly notices: Notice[];
  /** True when no notice is severe. */
  readonly isClean: boolean;
}

/** The layout that a script writes: it keeps the pen, and opens and closes everything. */
interface Layout {
  /** The version of folio. */
  readonly version: string;
  /** The unit of all lengths. */
  unit: LengthUnit;
  /** True when severe notices are thrown as faults. */
  strict: boolean;
  /** The job that is open, or null. */
  readonly job: PrintJob | null;
  /** The section that is open, or null. */
  readonly section: Section | null;
  /** The page that the pen is on, or null outside a section body. */
  readonly page: Page | null;
  /** All pages up to now. */
  readonly pages: Sequence<Page>;
  /** The innermost container that is open, or null. */
  readonly container: Container | null;
  /** All items that are open, the innermost last. */
  readonly openItems: Item[];
  /** The style that text is written in. */
  readonly style: Style;
  /** The inks of the layout. */
  readonly palette: Palette;
  /** The numbering in force, or null. */
  readonly numbering: PageNumbering | null;
  /** The tree of titles. */
  readonly outline: Outline;
  /** The notices of the layout. */
  readonly log: NoticeLog;
  /** Turns values into text. */
  readonly format: Formatter;
  /** The phrases of the document. */
  readonly wording: Wording;
  /** The distance of the pen from the left edge of the open container. */
  readonly penX: number;
  /** The distance of the pen from the top edge of the open container. */
  readonly penY: number;
  /** The height that is left below the pen. */
  readonly restHeight: number;

  /** Makes a job that writes a file. */
  makeJob(path: string, format?: OutputFormat): PrintJob;
  /** Makes a page master. */
  makeMaster(name: string, size?: PageSize): PageMaster;
  /** Makes a section with a master. */
  makeSection(master: PageMaster, name?: string): Section;
  /** Makes a header. */
  makeHeader(name?: string): Header;
  /** Makes a footer. */
  makeFooter(name?: string): Footer;
  /** Makes a page numbering. */
  makeNumbering(format?: NumberFormat): PageNumbering;
  /** Makes a block. */
  makeBlock(name?: string): Block;
  /** Makes a table. */
  makeTable(name?: string): Table;
  /** Makes a layer. */
  makeLayer(name: string): Layer;
  /** Makes a stream. */
  makeStream(name?: string): Stream;
  /** Makes a style, based on the current one when no other is named. */
  makeStyle(name: string, basedOn?: Style): Style;
  /** Makes a typeface from a file. */
  makeTypeface(family: string, file: string): Typeface;
  /** Makes an anchor. */
  makeAnchor(title: string): Anchor;
  /** Makes a counter. */
  makeCounter(name: string, format?: NumberFormat): Counter;
  /** Makes a rule. */
  makeMark(kind: "rule"): Rule;
  /** Makes an image. */
  makeMark(kind: "image"): PageImage;
  /** Makes a barcode. */
  makeMark(kind: "barcode"): Barcode;
  /** Makes a shape. */
  makeMark(kind: "shape"): Shape;
  /** Makes a source that reads XML. */
  makeXmlSource(path: string, options?: ReadOptions): XmlSource;
  /** Makes a source that reads CSV. */
  makeCsvSource(path: string, options?: ReadOptions): CsvSource;
  /** Makes a source that reads JSON. */
  makeJsonSource(path: string, options?: ReadOptions): JsonSource;

  /** Opens a job; contains sections; closed by `layout.jobEnd`. */
  jobStart(job: PrintJob): PrintJob;
  /** Closes the job that `layout.jobStart` opened. */
  jobEnd(): PrintJob;
  /** Opens a section and its front; the front contains headers and footers, the part after `layout.sectionBody` contains content; closed by `layout.sectionEnd`. */
  sectionStart(section: Section): Section;
  /** Ends the front of the section that `layout.sectionStart` opened and begins its first page. */
  sectionBody(): Page;
  /** Closes the section that `layout.sectionStart` opened. */
  sectionEnd(): Section;
  /** Opens a header in the front of a section; contains paragraphs, blocks, marks and tables; closed by `layout.headerEnd`. */
  headerStart(header: Header): Header;
  /** Closes the header that `layout.headerStart` opened. */
  headerEnd(): Header;
  /** Opens a footer in the front of a section; contains paragraphs, blocks, marks and tables; closed by `layout.footerEnd`. */
  footerStart(footer: Footer): Footer;
  /** Closes the footer that `layout.footerStart` opened. */
  footerEnd(): Footer;
  /** Opens a block that was made before; contains paragraphs, tables, marks, column sets and blocks; closed by `layout.blockEnd`. */
  blockStart(block: Block): Block;
  /** Makes a block of a size at the pen and opens it; contains the same; closed by `layout.blockEnd`. */
  blockStart(width: number, height?: number): Block;
  /** Closes the block that `layout.blockStart` opened. */
  blockEnd(): Block;
  /** Opens a column set; contains paragraphs, blocks, marks and tables; closed by `layout.columnsEnd`. */
  columnsStart(count: number, gutter?: number): ColumnSet;
  /** Closes the column set that `layout.columnsStart` opened. */
  columnsEnd(): ColumnSet;
  /** Opens a table; contains one head, row groups and rows, all opened on the table; closed by `layout.tableEnd`. */
  tableStart(table: Table): Table;
  /** Closes the table that `layout.tableStart` opened. */
  tableEnd(): Table;
  /** Opens a layer; contains blocks and marks; closed by `layout.layerEnd`. */
  layerStart(layer: Layer): Layer;
  /** Closes the layer that `layout.layerStart` opened. */
  layerEnd(): Layer;
  /** Opens a stream; contains paragraphs, tables and marks, which appear when it is poured; closed by `layout.streamEnd`. */
  streamStart(stream: Stream): Stream;
  /** Closes the stream that `layout.streamStart` opened. */
  streamEnd(): Stream;
  /** Opens a paragraph; contains text, footnotes and references; closed by `layout.paragraphEnd`. */
  paragraphStart(style?: Style): Paragraph;
  /** Closes the paragraph that `layout.paragraphStart` opened. */
  paragraphEnd(): Paragraph;
  /** Opens a hold; contains what its container may contain and keeps it on one page; closed by `layout.holdEnd`. */
  holdStart(): Hold;
  /** Closes the hold that `layout.holdStart` opened. */
  holdEnd(): Hold;
  /** Opens a trial; contains what its container may contain and prints nothing yet; closed by `layout.trialEnd`. */
  trialStart(): Trial;
  /** Closes the trial that `layout.trialStart` opened. */
  trialEnd(): Trial;
  /** Makes a style the current one, for all text until `layout.stylePop`. */
  stylePush(style: Style): void;
  /** Brings back the style that was current before `layout.stylePush`. */
  stylePop(): Style;

  /** Writes text at the pen, as part of the open paragraph or as a paragraph of its own. */
  write(text: string, style?: Style): void;
  /** Writes text and ends the line. */
  writeLine(text?: string, style?: Style): void;
  /** Moves the pen down. */
  space(height: number): void;
  /** Puts the pen at a place in the open container. */
  movePen(x: number, y: number): void;
  /** Places a mark at the pen or where the options say. */
  place(mark: Rule | PageImage | Barcode | Shape, options?: PlaceOptions): void;
  /** Drops an anchor at the pen. */
  dropAnchor(anchor: Anchor): void;
  /** Writes a reference to an anchor. */
  refer(anchor: Anchor, shows?: "page" | "title" | "titleAndPage"): CrossReference;
  /** Writes a footnote sign at the pen and the note at the foot of the page. */
  footnote(text: string, style?: Style): Footnote;
  /** Goes on at the top of a new page, on a given side of the sheet when one is named. */
  pageBreak(side?: PageSide): Page;
  /** Goes on at the top of the next column. */
  columnBreak(): void;

  /** Finds a block by name, or gives null. */
  find(kind: "block", name: string): Block | null;
  /** Finds a table by name, or gives null. */
  find(kind: "table", name: string): Table | null;
  /** Finds a layer by name, or gives null. */
  find(kind: "layer", name: string): Layer | null;
  /** Finds a stream by name, or gives null. */
  find(kind: "stream", name: string): Stream | null;
  /** Finds a style by name, or gives null. */
  find(kind: "style", name: string): Style | null;
  /** Finds an anchor by name, or gives null. */
  find(kind: "anchor", name: string): Anchor | null;
  /** Gives a parameter with which the script was started, or the fallback. */
  parameter(name: string, fallback?: string): string;
  /** Sets all pages again until references and totals are settled, and gives how many passes it took. */
  compose(): Promise<number>;
  /** Closes everything that is open, without printing what was not finished. */
  abandon(): void;
  /** Calls a listener when a page begins. */
  on(moment: "pageStart", listener: (page: Page) => void): void;
  /** Calls a listener when a page is full. */
  on(moment: "pageEnd", listener: (page: Page) => void): void;
  /** Calls a listener when a notice is logged. */
  on(moment: "notice", listener: (notice: Notice) => void): void;
  /** Calls a listener before a fault is thrown. */
  on(moment: "fault", listener: (fault: LayoutFault) => void): void;
  /** Takes a listener away that `layout.on` added, or all of one moment. */
  off(moment: "pageStart" | "pageEnd" | "notice" | "fault", listener?: (value: any) => void): void;

  /**
   * Goes on at the top of a new page.
   * @deprecated use pageBreak
   */
  newPage(): Page;
  /**
   * Writes text at the pen.
   * @deprecated use write
   */
  print(text: string): void;
  /**
   * Makes a source that reads XML and opens it.
   * @deprecated use makeXmlSource
   */
  loadXml(path: string): XmlSource;
}

/** The layout of the running script. */
declare const layout: Layout;
