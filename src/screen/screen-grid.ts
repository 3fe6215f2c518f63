/** The rows of the screen, as text, as styled runs and as the colours behind them. */
import type { VisibleText } from '../invisible-characters.ts';
import { withoutTrailingBlanks } from './lines/rows.ts';
import { cellRunsOfRow, styledRunsOfRow } from './xterm/read-styled-runs.ts';
import { backgroundsOfRow, commonBackgroundOfRow, rowOf } from './xterm/row-backgrounds.ts';
import type { RowReader } from './xterm/row-reader.ts';
import type { CellRun, StyledRun, VisibleRun } from './xterm/styled-runs.ts';
import type { Xterm, XtermRow } from './xterm/xterm.ts';

export class ScreenGrid {
  readonly #xterm: Xterm;
  readonly #rowReader: RowReader;
  readonly #catchUp: () => void;

  /** `catchUp` parses the output that was deferred. */
  constructor(xterm: Xterm, rowReader: RowReader, catchUp: () => void) {
    this.#xterm = xterm;
    this.#rowReader = rowReader;
    this.#catchUp = catchUp;
  }

  /** The text of a row as it was printed, without blanks at its end. */
  rowText(row: number): string {
    this.#catchUp();
    return withoutTrailingBlanks(rowOf(this.#xterm, row)?.translateToString(true) ?? '');
  }

  /** What a person sees of a row, without blanks at its end, and how many characters that leaves out. */
  visibleRow(row: number, fromCol = 0, toCol = this.#xterm.terminal.cols): VisibleText {
    this.#catchUp();
    const cells = rowOf(this.#xterm, row);
    if (cells === undefined) return { text: '', hidden: 0 };
    const end = toCol < cells.length ? toCol : cells.getTrimmedLength();
    const { text, hidden } = this.#rowReader.read(cells, fromCol, end);
    return { text: withoutTrailingBlanks(text), hidden };
  }

  /** A number for the colour that a person sees behind all cells of a row. Undefined if they differ. */
  commonBackground(row: number): number | undefined {
    this.#catchUp();
    return commonBackgroundOfRow(this.#xterm, row);
  }

  /** The same for each cell. Valid until the next call. */
  backgrounds(row: number): Uint32Array {
    this.#catchUp();
    return backgroundsOfRow(this.#xterm, row);
  }

  /** As they were printed, with what a person cannot see. */
  rowRuns(row: number, toCol = this.#xterm.terminal.cols): StyledRun[] {
    this.#catchUp();
    return styledRunsOfRow(this.#xterm, row, toCol);
  }

  visibleRuns(row: number): VisibleRun[] {
    const runs = this.rowRuns(row);
    if (this.#rowReader.isPlain) return runs;
    const cells = rowOf(this.#xterm, row)!;
    return runs.map((run) => {
      const visible = this.#rowReader.read(cells, run.col, run.col + run.width, run.text);
      return visible.hidden === 0 ? run : { ...run, ...visible };
    });
  }

  /** What a person sees of each cell. */
  cellRuns(row: number): CellRun[] {
    this.#catchUp();
    const runs = cellRunsOfRow(this.#xterm, row);
    if (this.#rowReader.isPlain) return runs;
    const cells = rowOf(this.#xterm, row)!;
    return runs.map((run) => this.#visibleCells(cells, run));
  }

  #visibleCells(cells: XtermRow, { isSingle, ...run }: CellRun): CellRun {
    const { col, width } = run;
    const { text, hidden } = this.#rowReader.read(cells, col, col + width, run.text);
    if (hidden === 0) return { ...run, ...(isSingle && { isSingle }) };
    if (isSingle && text.trim() !== '') return { ...run, isSingle, text };
    // A cell of which nothing is seen is blank.
    const shown = Array.from({ length: isSingle ? 0 : width }, (_, at) =>
      this.#rowReader.read(cells, col + at, col + at + 1).text.padEnd(1),
    );
    return { ...run, text: shown.join('').padEnd(width) };
  }
}
