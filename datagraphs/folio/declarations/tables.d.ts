// Tables: columns are declared, rows and cells are opened and closed one inside the other.

/** A table; its columns are declared first, its rows are opened one by one. */
interface Table extends Placed {
  /** The columns from left to right. */
  readonly columns: Sequence<Column>;
  /** All rows that were closed, those of heads and groups included. */
  readonly rows: Sequence<Row>;
  /** The row groups in order. */
  readonly groups: Sequence<RowGroup>;
  /** The head of the table, or null. */
  readonly head: TableHead | null;
  /** The row that is open, or null. */
  readonly openRow: Row | null;
  /** The space between neighbouring cells, across and down. */
  cellGap: number;
  /** The space between the edges and the content of cells that set no inset of their own. */
  readonly cellInset: Inset;
  /** The lines around the table. */
  readonly edges: EdgeSet;
  /** The lines between the rows. */
  readonly rowEdge: Edge;
  /** The lines between the columns. */
  readonly columnEdge: Edge;
  /** The inks that fill rows in turn; empty for none. */
  stripes: Ink[];
  /** True when a row may be divided at the end of a page. */
  splitsRows: boolean;
  /** How the table stands when it is narrower than its container. */
  align: Alignment;
  /** The text above the table, or an empty text. */
  caption: string;
  /** The style of cells that set none of their own, or null for the current one. */
  style: Style | null;
  /** Called each time the table goes on to another page. */
  onContinue: ((page: Page, table: Table) => void) | null;
  /** Declares a column at the right end. */
  addColumn(width: number, align?: Alignment): Column;
  /** Gives the column at an index, counted from 0, or under a name, or null. */
  column(key: number | string): Column | null;
  /** Opens the head; contains rows, which are repeated on every page; closed by `table.headEnd`. */
  headStart(): TableHead;
  /** Closes the head that `table.headStart` opened. */
  headEnd(): TableHead;
  /** Opens a row group; contains rows that belong together; closed by `table.groupEnd`. */
  groupStart(label?: string): RowGroup;
  /** Closes the row group that `table.groupStart` opened. */
  groupEnd(): RowGroup;
  /** Opens a row; contains cells; closed by `table.rowEnd`. */
  rowStart(minHeight?: number): Row;
  /** Closes the row that `table.rowStart` opened. */
  rowEnd(): Row;
  /** Calls `fn` for every closed row. */
  eachRow(fn: (row: Row, index: number) => void): void;
  /** Sets the widths of all columns from their shares and contents. */
  balance(): void;
  /** Writes a whole row, one cell for each text. */
  putRow(texts: string[], style?: Style): Row;
  /**
   * Opens a row.
   * @deprecated use rowStart
   */
  addRow(): Row;
  /**
   * The weight of the lines around the table.
   * @deprecated use edges
   */
  border: number;
}

/** One column of a table. */
interface Column extends Item {
  /** The place in the table, counted from 0. */
  readonly index: number;
  /** The width; 0 stands for a width by share. */
  width: number;
  /** The least width when the table is balanced. */
  minWidth: number;
  /** The part of the free width that a column without a width gets. */
  share: number;
  /** How the content of the cells stands across the width. */
  align: Alignment;
  /** The style of the cells in the column, or null. */
  style: Style | null;
  /** True for a column that takes no space and is not printed. */
  hidden: boolean;
  /** Calls `fn` for every closed cell that begins in the column. */
  eachCell(fn: (cell: Cell, row: Row) => void): void;
  /** Adds up the numbers in the cells, leaving out what `parse` gives null for. */
  sum(parse?: (text: string) => number | null): number;
}

/** One row of a table. */
interface Row extends Item {
  /** The place in the table, counted from 0. */
  readonly index: number;
  /** The table that the row stands in. */
  readonly table: Table;
  /** The group that the row stands in, or null. */
  readonly group: RowGroup | null;
  /** The cells from left to right. */
  readonly cells: Sequence<Cell>;
  /** The height, known once the row is closed. */
  readonly height: number;
  /** The least height. */
  minHeight: number;
  /** The ink that fills the row, or null for the table's stripes. */
  fill: Ink | null;
  /** True when the row stays on the page of the one that follows. */
  keepWithNext: boolean;
  /** The style of the cells in the row, or null. */
  style: Style | null;
  /** Opens a cell; contains paragraphs, blocks, marks and tables; closed by `row.cellEnd`. */
  cellStart(columnSpan?: number): Cell;
  /** Closes the cell that `row.cellStart` opened. */
  cellEnd(): Cell;
  /** Writes a whole cell with a text. */
  put(text: string, style?: Style): Cell;
  /** Leaves cells empty. */
  skip(count?: number): void;
  /** Gives the cell in a column, or null. */
  cell(key: number | string): Cell | null;
  /** Calls `fn` for every cell. */
  eachCell(fn: (cell: Cell, index: number) => void): void;
}

/** One cell of a row, opened and closed on the row. */
interface Cell extends Container {
  /** The row that the cell stands in. */
  readonly row: Row;
  /** The column in which the cell begins. */
  readonly column: Column;
  /** How many columns the cell covers. */
  columnSpan: number;
  /** How many rows the cell covers. */
  rowSpan: number;
  /** How the content stands across the width. */
  align: Alignment;
  /** The style of the cell, or null for that of row, column or table. */
  style: Style | null;
  /** The text of the cell without its styles. */
  readonly text: string;
  /**
   * The space between the edges and the content.
   * @deprecated use inset
   */
  padding: number;
  /**
   * How many columns the cell covers.
   * @deprecated use columnSpan
   */
  colspan: number;
}

/** Rows that belong together. */
interface RowGroup extends Item {
  /** The rows of the group. */
  readonly rows: Sequence<Row>;
  /** A name for the group that can be printed. */
  label: string;
  /** True when the group is kept on one page where it fits. */
  keepTogether: boolean;
  /** The space above the group. */
  spaceBefore: number;
  /** Adds up the numbers in one column of the group. */
  sum(column: Column): number;
}

/** The rows at the top of a table, printed again on every page. */
interface TableHead extends RowGroup {
  /** False for a head that is printed on the first page only. */
  repeats: boolean;
  /** The text below a repeated head, such as "continued". */
  continuedText: string;
  /** How often the head was printed. */
  readonly printCount: number;
}

/** One line along the side of a container, a table or a shape. */
interface Edge {
  /** The weight of the line; 0 for none. */
  weight: number;
  /** How the line is drawn. */
  pattern: LinePattern;
  /** The ink of the line, or null for the ink of the current style. */
  ink: Ink | null;
  /** Sets weight, ink and pattern at once. */
  draw(weight: number, ink?: Ink, pattern?: LinePattern): void;
}

/** The lines along all four sides. */
interface EdgeSet {
  /** The line at the top. */
  readonly top: Edge;
  /** The line on the right. */
  readonly right: Edge;
  /** The line at the bottom. */
  readonly bottom: Edge;
  /** The line on the left. */
  readonly left: Edge;
  /** Draws all four lines alike. */
  drawAll(weight: number, ink?: Ink, pattern?: LinePattern): void;
  /** Takes all four lines away. */
  clear(): void;
}
