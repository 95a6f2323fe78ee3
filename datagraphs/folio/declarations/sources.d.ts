// Where content comes from: XML, CSV and JSON files; and how values become text.

/** How a source is read. */
interface ReadOptions {
  /** The encoding of the file; "utf-8" without it. */
  encoding?: string;
  /** True to take white space off both ends of every text. */
  trim?: boolean;
  /** True to log a notice and go on where the file is malformed. */
  lenient?: boolean;
}

/** What all sources have in common. */
interface Source extends Item {
  /** The path of the file, relative to the project. */
  readonly path: string;
  /** The encoding in which the file was read. */
  readonly encoding: string;
  /** How many lines the file has. */
  readonly lineCount: number;
  /** Called where the file is malformed, with the line and the reason. */
  onMalformed: ((line: number, reason: string) => void) | null;
  /** Opens the file; its content can be read until `close` is called. */
  open(): void;
  /** Closes the file that `open` opened; nodes and records taken from it stay readable. */
  close(): void;
  /** Reads the file again, for a preview that goes on while the file is edited. */
  reload(): Promise<void>;
}

/** An XML file. */
interface XmlSource extends Source {
  /** The outermost node, or null while the source is closed. */
  readonly root: XmlNode | null;
  /** Gives a short prefix to a namespace, for use in paths. */
  usePrefix(prefix: string, namespace: string): void;
  /** Gives all nodes on a path, such as "order/line", in document order. */
  select(path: string): XmlNode[];
  /** Gives the first node on a path, or null. */
  selectFirst(path: string): XmlNode | null;
  /** Gives the text of the first node on a path, or the fallback. */
  textAt(path: string, fallback?: string): string;
  /** Calls `fn` for every node on a path. */
  each(path: string, fn: (node: XmlNode, index: number) => void): void;
  /** Gives how many nodes are on a path. */
  countOf(path: string): number;
}

/** One node of an XML file. */
interface XmlNode {
  /** The name of the node without prefix. */
  readonly name: string;
  /** The text of the node and all nodes below it. */
  readonly text: string;
  /** The node above, or null for the outermost. */
  readonly parent: XmlNode | null;
  /** The nodes directly below, in document order. */
  readonly children: XmlNode[];
  /** All attributes by name. */
  readonly attributes: AttributeBag;
  /** The line of the file on which the node begins. */
  readonly line: number;
  /** Gives the value of an attribute, or null. */
  attribute(name: string): string | null;
  /** Gives the first node directly below that has a name, or null. */
  child(name: string): XmlNode | null;
  /** Gives all nodes directly below that have a name. */
  childrenNamed(name: string): XmlNode[];
  /** Gives the text of the first node directly below that has a name, or the fallback. */
  textOf(name: string, fallback?: string): string;
  /** Gives the number in the first node directly below that has a name, or the fallback. */
  numberOf(name: string, fallback?: number): number;
  /** Calls `fn` for every node directly below. */
  each(fn: (node: XmlNode, index: number) => void): void;
  /** Gives all nodes on a path that begins here. */
  select(path: string): XmlNode[];
  /** Gives the path of the node from the outermost one. */
  pathText(): string;
  /**
   * Gives the value of an attribute, or null.
   * @deprecated use attribute
   */
  getAttribute(name: string): string | null;
}

/** The attributes of an XML node, under whatever names the file uses. */
interface AttributeBag {
  /** The identifier of the node. */
  id: string;
  /** The language of the node. */
  lang: string;
  /** The value of any attribute, by its name. */
  [name: string]: string;
}

/** A file of records with one line each. */
interface CsvSource extends Source {
  /** The letter between fields. */
  separator: string;
  /** The letter around fields that contain the separator. */
  quote: string;
  /** True when the first line holds the names of the fields. */
  hasHead: boolean;
  /** The names of the fields, empty without a head. */
  readonly fieldNames: string[];
  /** Gives all records. */
  records(): CsvRecord[];
  /** Calls `fn` for every record; returning false ends the reading. */
  each(fn: (record: CsvRecord, index: number) => boolean | void): void;
}

/** One line of a CSV file. */
interface CsvRecord {
  /** The line of the file on which the record begins. */
  readonly line: number;
  /** How many fields the record has. */
  readonly fieldCount: number;
  /** Gives the field of that name, or null. */
  field(name: string): string | null;
  /** Gives the field at an index, counted from 0, or null. */
  fieldAt(index: number): string | null;
  /** Gives the number in the field of that name, or the fallback. */
  numberIn(name: string, fallback?: number): number;
}

/** A JSON file. */
interface JsonSource extends Source {
  /** The whole content as a value of the language, undefined while the source is closed. */
  readonly value: any;
  /** Gives the value on a path, such as "customer.address.city", or null. */
  pick(path: string): any;
  /** Gives the text on a path, or the fallback. */
  textAt(path: string, fallback?: string): string;
  /** Gives the number on a path, or the fallback. */
  numberAt(path: string, fallback?: number): number;
}

/** Turns values into text by the rules of a language. */
interface Formatter {
  /** The language and region whose rules are used, such as "en-GB". */
  locale: string;
  /** The currency for `money`, as a three-letter code. */
  currency: string;
  /** Writes a number with a fixed count of decimals. */
  number(value: number, decimals?: number): string;
  /** Writes an amount with its currency. */
  money(value: number, currency?: string): string;
  /** Writes a date given as "YYYY-MM-DD". */
  date(value: string, form?: "short" | "long" | "iso"): string;
  /** Writes a share from 0 to 1 as a percentage. */
  percent(share: number, decimals?: number): string;
  /** Writes a whole number in a number format. */
  ordinal(value: number, format: NumberFormat): string;
}

/** The phrases of a document in one language. */
interface Wording {
  /** The language of the phrases, as a two-letter code. */
  language: string;
  /** Reads phrases from a JSON file of keys and texts. */
  load(path: string): Promise<Wording>;
  /** Tells whether there is a phrase under a key. */
  has(key: string): boolean;
  /** Gives the phrase under a key, with the values set in where it says {0}, {1} and so on. */
  phrase(key: string, ...values: string[]): string;
  /** Gives one of two phrases by a count. */
  plural(count: number, one: string, many: string): string;
}
