/**
 * A command as it is typed into a shell without marks: between two that nobody sees.
 *
 * It is given to `eval` as one word, so that a comment, a here-document or an `&` at its end leaves
 * the mark behind it alone, and the program it runs finds no mark among its own input.
 */

/** `posix`: also any shell that cannot be seen. */
export type ShellSyntax = 'posix' | 'strict' | 'fish';

/**
 * By the name of the program that waits. Where `eval` is a special builtin a syntax error in it ends
 * the whole line, mark and all, unless it is called by `command`, which zsh takes for another thing.
 */
export const shellSyntaxOf = (program: string | undefined): ShellSyntax => {
  if (program === 'fish') return 'fish';
  return /^(?:sh|dash|ash|busybox|ksh.*|mksh)$/.test(program ?? '') ? 'strict' : 'posix';
};

/**
 * The blank in front keeps it out of the history of shells that are set up for that. `noTabs`: a line
 * editor would take a tab for a key.
 */
export const typedWithMarks = (
  command: string,
  key: string,
  dialect: ShellSyntax,
  { noTabs }: { noTabs: boolean },
): string => {
  const run = { posix: 'eval', strict: 'command eval', fish: 'eval' }[dialect];
  const status = dialect === 'fish' ? '$status' : '"$?"';
  const word =
    dialect === 'fish'
      ? fishQuoted(command)
      : noTabs && command.includes('\t')
        ? withoutTabs(command)
        : shellQuote(command);
  return (
    ` printf '\\033]7133;${key};begin\\007'; ${run} ${word}; ` +
    `printf '\\033]7133;${key};end;%s;%s\\007' ${status} "$PWD"`
  );
};

/** In a way that every shell but csh understands, as long as there is no backslash for fish. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const withoutTabs = (text: string): string =>
  `"$(printf %b ${shellQuote(text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t'))})"`;

const fishQuoted = (text: string): string =>
  `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll('\t', "'\\t'")}'`;
