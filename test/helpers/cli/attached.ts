/** A person attached to a session: what their window shows, and how they leave. */
import { expect } from 'vitest';
import { until } from '../until.ts';
import type { OwnCli } from './own-cli.ts';
import type { Person } from './tmux.ts';

export const screenOf = async (cli: OwnCli, session: string) =>
  (await cli.run('read', session, '--screen', '--json')).json;

/** ` vim | working | …`, or without its end where the window is narrow. */
const STATUS_LINE = /^ [\w-]+ \|/;

/** The rows of the window above the status line, if that is there, without blank rows at the end. */
export const rowsAboveStatus = async (person: Person): Promise<string[]> => {
  const rows = await person.window();
  const above = STATUS_LINE.test(rows.at(-1) ?? '') ? rows.slice(0, -1) : rows;
  return above.slice(0, above.findLastIndex((row) => row !== '') + 1);
};

/** Waits until the window shows what the session's screen shows, and the session has this size. */
export const expectSameScreen = async (
  person: Person,
  cli: OwnCli,
  session: string,
  size: { cols: number; rows: number },
) => {
  let last = { window: [''], screen: [''], cols: 0, rows: 0 };
  const isSame = async () => {
    const { output, cols, rows } = await screenOf(cli, session);
    const screen = output.split('\n').map((line: string) => line.trimEnd());
    const window = await rowsAboveStatus(person);
    last = { window, screen, cols, rows };
    return cols === size.cols && rows === size.rows && window.join('\n') === screen.join('\n');
  };
  await until('window and screen are the same', isSame).catch(() => {
    expect(last).toEqual({ ...last, window: last.screen, ...size });
    throw new Error('window and screen became the same too late, or in the wrong size');
  });
};

export const detach = async (person: Person) => {
  await person.press('C-\\', 'd');
  await person.sees(/detached; it goes on/);
};
