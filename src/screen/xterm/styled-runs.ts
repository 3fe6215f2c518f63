/** How the rows of a screen look, as data. */

/** A colour of the palette by number, or "#rrggbb". Absent: the terminal's own. */
export type Colour = number | string;

export interface Style {
  fg?: Colour;
  bg?: Colour;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  inverse?: true;
  invisible?: true;
  strikethrough?: true;
}

/** Cells side by side that look alike. */
export interface Run {
  col: number;
  /** In cells: a wide character takes two. */
  width: number;
  text: string;
  style: Style;
}
