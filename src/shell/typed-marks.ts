/**
 * A command as it is typed into a shell that has no marks: between two invisible marks.
 *
 * The command is one quoted word for `eval`. So a comment, a here-document or an `&` at its end
 * cannot swallow the mark after it, and the program it runs does not read the mark as input.
 */

/** `posix` is also used when the shell is unknown. */
export type ShellSyntax = 'posix' | 'strict' | 'zsh' | 'fish' | 'rc';

/**
 * Chosen by the name of the program that waits for input. `strict`: `eval` is a special builtin
 * there, so a syntax error in it aborts the whole line, including the mark. `command eval` prevents
 * that, and the user's own function of that name, but in zsh `command` means something else.
 */
export const shellSyntaxOf = (program: string | undefined): ShellSyntax => {
  if (program === 'fish' || program === 'zsh') return program;
  if (program === 'rc' || program?.startsWith('rc.')) return 'rc';
  return /^(?:sh|bash|dash|ash|busybox|ksh.*|mksh)$/.test(program ?? '') ? 'strict' : 'posix';
};

/**
 * The blank in front keeps the line out of the history where the shell is configured that way
 * (HISTCONTROL=ignorespace). `noTabs`: write tabs as escapes, because a line editor completes at a
 * tab.
 */
export const wrapInTypedMarks = (
  command: string,
  key: string,
  syntax: ShellSyntax,
  { noTabs }: { noTabs: boolean },
): string => {
  const { evaluate, print, quote, statusAndFolder } = syntaxes[syntax];
  const hasTabs = noTabs && command.includes('\t') && quote === shellQuote;
  const word = hasTabs ? withoutTabs(command, print) : quote(command);
  return (
    ` ${print} '\\033]7133;${key};begin\\007'; ${evaluate} ${word}; ` +
    `${print} '\\033]7133;${key};end;%s;%s\\007' ${statusAndFolder}`
  );
};

const TYPED_COMMAND =
  /^ \S*(?: printf)? '\\033\]7133;\w+;begin\\007'; \S*(?: eval)? '((?:[^']|'\\'')*)'; \S*(?: printf)? '\\033\]7133;/;

/** The command in such a line, to be shown to people. Undefined if it is none, or not simply quoted. */
export const commandInTypedMarks = (line: string): string | undefined =>
  TYPED_COMMAND.exec(line)?.[1]?.replaceAll("'\\''", "'");

/** Quotes for every shell except csh. In fish it is only right for text without a backslash. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const rcQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const withoutTabs = (text: string, print: string): string =>
  `"$(${print} %b ${shellQuote(text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t'))})"`;

/** fish 3.1 has `string collect`. */
const fishQuoted = (text: string): string =>
  isSlowToPasteInFish(text)
    ? `(builtin string unescape --style=url -- ${percentEncoded(text)} | builtin string collect)`
    : `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll('\t', "'\\t'")}'`;

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((char) => (/[\w.-]/.test(char) ? char : `%${hexOf(char)}`))
    .join('');

const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');

/** Each costs fish some milliseconds, and more the more lines there are. */
const MAX_LINES_IN_FISH = 20;
const MAX_QUOTES_IN_FISH = 100;

/**
 * For every quote and backslash in a paste fish runs a function, after every line it draws all of them again:
 * it took 40 s for 600 lines. As one word without any of them, they take less than one.
 */
export const isSlowToPasteInFish = (command: string): boolean =>
  command.split('\n').length > MAX_LINES_IN_FISH ||
  (command.match(/['\\]/g)?.length ?? 0) > MAX_QUOTES_IN_FISH;

/** The user may have functions and aliases of their own named `printf` and `eval`. */
interface SyntaxParts {
  evaluate: string;
  print: string;
  quote(text: string): string;
  statusAndFolder: string;
}

const posix: SyntaxParts = {
  evaluate: '\\eval',
  // In zsh this is the program of that name.
  print: '\\command printf',
  quote: shellQuote,
  statusAndFolder: '"$?" "$PWD"',
};

const syntaxes: Record<ShellSyntax, SyntaxParts> = {
  posix,
  strict: { ...posix, evaluate: '\\command eval' },
  zsh: { ...posix, evaluate: '\\builtin eval', print: '\\builtin printf' },
  fish: {
    evaluate: 'builtin eval',
    print: 'builtin printf',
    quote: fishQuoted,
    statusAndFolder: '$status "$PWD"',
  },
  // It has a status for each command of a pipeline, and no variable for the folder.
  rc: {
    evaluate: 'eval',
    print: 'printf',
    quote: rcQuoted,
    statusAndFolder: '$status($#status) ``($nl){pwd}',
  },
};
