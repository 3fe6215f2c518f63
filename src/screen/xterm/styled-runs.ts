/** The colours and styles of the rows of a screen, as data. */

/** The number of a palette colour, or "#rrggbb". Absent: the terminal's default. */
export type CellColor = number | string;

export interface CellStyle {
  fg?: CellColor;
  bg?: CellColor;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  inverse?: true;
  invisible?: true;
  strikethrough?: true;
}

/** Adjacent cells with the same style. */
export interface StyledRun {
  col: number;
  /** In cells: a wide character takes two. */
  width: number;
  text: string;
  style: CellStyle;
}

/** What a person sees of a run. */
export interface VisibleRun extends StyledRun {
  /** How many characters the text leaves out. Absent: none. */
  hidden?: number;
}

/** Cells of which it is known where each character stands: one unit of the text for each cell. */
export interface CellRun extends StyledRun {
  /** It is a single character, of any width and in any number of units. */
  isSingle?: true;
}
