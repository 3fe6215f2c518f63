/** What comes of a scenario, and what a model must have been shown for it to be well. */

/** The client itself cannot do it. Thrown by a scenario, and no failure of ours. */
export class ClientCannot extends Error {}

const short = (text) => String(text).replaceAll(/\s+/g, ' ').slice(0, 300);

export const assertShown = (text, pattern, what) => {
  if (text === undefined) throw new Error(`${what}: no result came back`);
  if (!pattern.test(text)) throw new Error(`${what}: no ${pattern} in ${short(text)}`);
};

export const assertNotShown = (text, pattern, what) => {
  if (pattern.test(text)) throw new Error(`${what}: ${pattern} is in ${short(text)}`);
};

/** Clients show their model either the structured result or the text. */
const quote = '\\\\?"';
const field = (name, value) => `${quote}${name}${quote}:\\s*${value}`;

export const waitsFor = (what) =>
  new RegExp(`${field('waiting_for', `${quote}${what}`)}|waiting for a ${what}`);
export const exitedWith = (code) =>
  new RegExp(`${field('exit_code', `${code}\\b`)}|exit code ${code}\\b`);
export const listens = new RegExp(`${field('listening', '\\[\\s*\\d')}|listening on (?:port )?\\d`);

/** The name of the session that a result is about. */
export const sessionIn = (text) =>
  new RegExp(field('session', `${quote}([\\w.-]+)`)).exec(text)?.[1] ??
  /\[([\w.-]+)(?: \([^)]*\))?: /.exec(text)?.[1];
