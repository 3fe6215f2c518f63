/**
 * The marks by which a shell's output is taken apart: one before each prompt, and one between the
 * echo of a command and what it prints. No result shows them.
 */

export interface PromptMarks {
  /** A line of its own, before the prompt. */
  prompt: string;
  /** Printed when a command has been read and is about to be run. */
  begin: string;
}

export const marksOf = (secret: string): PromptMarks => ({
  prompt: `__TERMINALTOOLS_PROMPT_${secret}__`,
  begin: `__TERMINALTOOLS_BEGIN_${secret}__`,
});

/** bash draws its prompts with these. */
export const promptVariables = ({ prompt, begin }: PromptMarks) => ({
  PS0: begin,
  PS1: `${prompt}\n$ `,
  PS2: '',
  PROMPT_COMMAND: '',
});

/** How the terminal shows a prompt. */
export const shownPrompt = ({ prompt }: PromptMarks): string => `${prompt}\r\n$ `;

/** Text without marks, and where its characters stood in the text with them. */
export interface CleanedOutput {
  text: string;
  /** The index in the original of what stands before this index. */
  originalEnd(index: number): number;
}

export const cleaned = (original: string, { prompt, begin }: PromptMarks): CleanedOutput => {
  const kept: { at: number; text: string }[] = [];
  let at = 0;
  for (const { 0: mark, index } of original.matchAll(
    new RegExp(`${prompt}(?:\r?\n)?|${begin}`, 'g'),
  )) {
    kept.push({ at, text: original.slice(at, index) });
    at = index + mark.length;
  }
  kept.push({ at, text: original.slice(at) });
  return {
    text: kept.map(({ text }) => text).join(''),
    originalEnd(index) {
      let before = 0;
      for (const part of kept) {
        if (index <= before + part.text.length) return part.at + index - before;
        before += part.text.length;
      }
      return original.length;
    },
  };
};

/** What a command printed, of all that was shown from its first echo to the prompt after it. */
export const printed = (shown: string, marks: PromptMarks): string => {
  const { prompt, begin } = marks;
  const last = shown.lastIndexOf(prompt);
  const body = last === -1 ? shown : shown.slice(0, last);
  // Of several lines each has a prompt and an echo of its own.
  const nextEcho = new RegExp(`${prompt}\r?\n\\$ (?:(?!${prompt})[^])*?${begin}`, 'g');
  return cleaned(withoutEcho(body, marks).replace(nextEcho, ''), marks).text;
};

const withoutEcho = (body: string, { prompt, begin }: PromptMarks): string => {
  const at = body.indexOf(begin);
  const nextPrompt = body.indexOf(prompt);
  if (at !== -1 && (nextPrompt === -1 || at < nextPrompt)) return body.slice(at + begin.length);
  // It ran nothing, or another program has read it: then the first line is the echo.
  const lineFeed = body.indexOf('\n');
  return lineFeed === -1 ? '' : body.slice(lineFeed + 1);
};
