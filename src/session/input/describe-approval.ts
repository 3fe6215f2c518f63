/** A question to a person as lines of text: who wants what, where, the rule, the end of the screen. */
import { plainText } from '../../plain-text.ts';
import type { ApprovalRequest } from './approval.ts';

/** The end of the screen is where the program asks. */
const SHOWN_ROWS = 12;
/** Fits a small terminal, and most command lines fit it. */
const MAX_SHOWN = 1000;

export interface DescribeApprovalOptions {
  /** The rows and columns there are. @default many */
  rows?: number;
  cols?: number;
}

/** Everything in it comes from an agent or its program, and must not act on a terminal. */
export const describeApproval = (
  {
    id,
    who,
    act,
    what,
    about,
    session,
    foreground,
    prompt,
    cwd,
    screen,
    rule,
    why,
    doubt,
  }: ApprovalRequest,
  { rows = Number.POSITIVE_INFINITY, cols = MAX_SHOWN }: DescribeApprovalOptions = {},
): string => {
  const place = [
    `session ${session}`,
    ...(foreground === undefined ? [] : [`to ${foreground}`]),
    ...(prompt === undefined ? [] : [`at ${JSON.stringify(prompt)}`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
  ].join(', ');
  // Of a long command, the part that the rule is about may have been left out.
  const isShown = about === '' || what.includes(about) || what.length <= MAX_SHOWN;
  const question = [
    `${id}  ${who} wants to ${act}: ${shortened(what)}`,
    ...(isShown ? [] : [`   about: ${shortened(about)}`]),
    `   ${shortened(place)}`,
    `   rule ${rule}: ${shortened(why)}${doubt === undefined ? '' : ` (${doubt})`}`,
  ];
  // Their own rows count: a row of the screen that is wrapped shows less of it.
  const taken = question.reduce((sum, line) => sum + Math.ceil(line.length / cols), 0);
  const shownRows = Math.max(0, Math.min(SHOWN_ROWS, rows - taken));
  const shown = shownRows > 0 ? (screen?.trimEnd().split('\n').slice(-shownRows) ?? []) : [];
  return [
    ...question,
    ...shown.map((line) => `   │ ${plainText(line, Math.max(1, cols - 5))}`.trimEnd()),
  ].join('\n');
};

/** The beginning and the end: what matters may be in either. */
const shortened = (text: string): string => {
  const plain = plainText(text, Number.POSITIVE_INFINITY);
  const leftOut = plain.length - MAX_SHOWN;
  if (leftOut <= 0) return plain;
  const half = MAX_SHOWN / 2;
  return `${plainText(plain.slice(0, half), half)} [… ${leftOut} characters are not shown …] ${plain.slice(-half)}`;
};
