/**
 * The marks that divide a shell's output: one before each prompt, and one between the echo of a
 * command and what it prints. Results never show them.
 */

export interface PromptMarks {
  /** On a line of its own, before the prompt. */
  prompt: string;
  /** Printed after bash has read a command and before it runs it. */
  begin: string;
}

export const createPromptMarks = (secret: string): PromptMarks => ({
  prompt: `__TERMINALTOOLS_PROMPT_${secret}__`,
  begin: `__TERMINALTOOLS_BEGIN_${secret}__`,
});

/** The variables that make bash print the marks. */
export const promptEnvironment = ({ prompt, begin }: PromptMarks) => ({
  PS0: begin,
  PS1: `${prompt}\n$ `,
  PS2: '',
  PROMPT_COMMAND: '',
});

/** A prompt as it appears in the terminal's output. */
export const printedPrompt = ({ prompt }: PromptMarks): string => `${prompt}\r\n$ `;

export interface OutputWithoutMarks {
  text: string;
  /** Maps an end index in `text` to the end index in the original. */
  originalEnd(index: number): number;
}

export const removePromptMarks = (
  original: string,
  { prompt, begin }: PromptMarks,
): OutputWithoutMarks => {
  const parts: { start: number; text: string }[] = [];
  let start = 0;
  for (const { 0: mark, index } of original.matchAll(
    new RegExp(`${prompt}(?:\r?\n)?|${begin}`, 'g'),
  )) {
    parts.push({ start, text: original.slice(start, index) });
    start = index + mark.length;
  }
  parts.push({ start, text: original.slice(start) });
  return {
    text: parts.map(({ text }) => text).join(''),
    originalEnd(index) {
      let before = 0;
      for (const part of parts) {
        if (index <= before + part.text.length) return part.start + index - before;
        before += part.text.length;
      }
      return original.length;
    },
  };
};

/** What a command printed. `shown` runs from the echo of the command to the prompt after it. */
export const hiveCommandOutput = (shown: string, marks: PromptMarks, command: string): string => {
  const { prompt, begin } = marks;
  const lastPrompt = shown.lastIndexOf(prompt);
  const body = lastPrompt === -1 ? shown : shown.slice(0, lastPrompt);
  // A command of several lines has a prompt and an echo for each line.
  const nextEcho = new RegExp(`${prompt}\r?\n\\$ (?:(?!${prompt})[^])*?${begin}`, 'g');
  return removePromptMarks(withoutFirstEcho(body, marks, command).replace(nextEcho, ''), marks)
    .text;
};

const withoutFirstEcho = (
  body: string,
  { prompt, begin }: PromptMarks,
  command: string,
): string => {
  const beginIndex = body.indexOf(begin);
  const nextPrompt = body.indexOf(prompt);
  if (beginIndex !== -1 && (nextPrompt === -1 || beginIndex < nextPrompt))
    return besideEcho(body.slice(0, beginIndex), command) + body.slice(beginIndex + begin.length);
  // Bash ran nothing, or another program read the line. Then the first line is the echo.
  const lineFeed = body.indexOf('\n');
  return lineFeed === -1 ? '' : body.slice(lineFeed + 1);
};

/** What jobs have printed just before and after the echo. An echo of several rows cannot be told apart. */
const besideEcho = (shown: string, command: string): string => {
  const [before, after] = command === '' ? [] : splitOnce(shown, `${command}\r\n`);
  return after === undefined ? '' : `${before}${after}`;
};

const splitOnce = (text: string, separator: string): string[] => {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
};
