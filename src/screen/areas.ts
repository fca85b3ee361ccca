// Where everything stands, by the size of the terminal.

export interface Box {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

export interface Areas {
  readonly list: Box | null;
  /** The live screen of the selected session, below its title. */
  readonly pane: Box | null;
  /** Its question, messages and events, below a title. */
  readonly below: Box | null;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

const narrowest = 60;
const widest = 120;
/** Here the list has all its columns. */
const roomy = 160;

export const isNarrow = ({ columns }: Size): boolean => columns < narrowest;

/** The first row is the headline, the last one has the keys. */
export function areasOf(size: Size, opened: boolean): Areas {
  const { columns } = size;
  const rows = Math.max(1, size.rows - 2);
  const all: Box = { row: 1, column: 0, rows, columns };
  if (isNarrow(size))
    return opened ? { list: null, ...stacked(all) } : { list: all, pane: null, below: null };
  if (columns >= widest) {
    const left = Math.min(110, Math.max(columns < roomy ? 62 : 80, Math.floor(columns * 0.46)));
    const right: Box = { row: 1, column: left + 1, rows, columns: columns - left - 1 };
    return { list: { ...all, columns: left }, ...stacked(right) };
  }
  if (rows < 10) return { list: all, pane: null, below: null };
  const listRows = Math.ceil(rows / 2);
  return {
    list: { ...all, rows: listRows },
    ...stacked({ ...all, row: 1 + listRows, rows: rows - listRows }),
  };
}

/** The pane above what belongs to it. Each has a title of one row, which its box leaves out. */
function stacked(box: Box): Pick<Areas, 'pane' | 'below'> {
  const belowRows = box.rows < 8 ? 0 : Math.min(12, Math.max(3, Math.floor(box.rows * 0.3)));
  const paneRows = box.rows - 1 - (belowRows > 0 ? belowRows + 1 : 0);
  return {
    pane: { ...box, row: box.row + 1, rows: paneRows },
    below: belowRows === 0 ? null : { ...box, row: box.row + paneRows + 2, rows: belowRows },
  };
}

export const isIn = (box: Box | null, row: number, column: number): box is Box =>
  box !== null &&
  row >= box.row &&
  row < box.row + box.rows &&
  column >= box.column &&
  column < box.column + box.columns;

/** The first line of a list of so many, so that line `at` is seen. */
export function scrolled(top: number, at: number, rows: number): number {
  if (at < top) return at;
  return at >= top + rows ? at - rows + 1 : top;
}

/** No blank lines where there could be others. */
export const settled = (top: number, count: number, rows: number): number =>
  Math.max(0, Math.min(top, count - rows));
