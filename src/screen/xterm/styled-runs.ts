/** How the rows of a screen look, as data. */

/** A colour of the palette by number, or "#rrggbb". Absent: the terminal's own. */
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

/** Cells side by side that look alike. */
export interface StyledRun {
  col: number;
  /** In cells: a wide character takes two. */
  width: number;
  text: string;
  style: CellStyle;
}
