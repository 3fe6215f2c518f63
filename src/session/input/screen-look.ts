/** How a screen looked when a person was asked about it, so that it can be told whether that has changed. */

export interface ScreenLook {
  rows: readonly string[];
  /** Absent if it is hidden: then it may stand where the program has drawn last. */
  cursor?: { col: number; row: number };
  isAlternate: boolean;
  /** The number of the line at the top: another one when it has scrolled. */
  top: number;
  /** What stands out, such as the chosen entry of a menu, with its place. */
  marked: readonly string[];
  /** Rows that the program has drawn anew since the last input, by itself. */
  restless: readonly number[];
}

/**
 * Whether a screen still asks what it asked, although the program has drawn since. A cursor that is shown, its
 * row, and what stands out must be the same, and each other row that was still before. A row that the program had
 * drawn anew by itself before may show something else: a clock, a list of processes.
 */
export const asksTheSame = (asked: ScreenLook, now: ScreenLook): boolean => {
  const rows = Math.max(asked.rows.length, now.rows.length);
  const isSameRow = (at: number) => (asked.rows[at] ?? '') === (now.rows[at] ?? '');
  return (
    asked.isAlternate === now.isAlternate &&
    asked.top === now.top &&
    asked.cursor?.row === now.cursor?.row &&
    asked.cursor?.col === now.cursor?.col &&
    (asked.cursor === undefined || isSameRow(asked.cursor.row)) &&
    asked.marked.join('\n') === now.marked.join('\n') &&
    Array.from({ length: rows }, (_, at) => at).every(
      (at) => isSameRow(at) || asked.restless.includes(at),
    )
  );
};
