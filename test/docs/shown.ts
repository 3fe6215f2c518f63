/** What a page shows, against what came: the same, but for what no two runs have in common. */
import { expect } from 'vitest';

/** Each is allowed to differ only where a page shows one of its kind. */
const varying: readonly (readonly [shown: RegExp, real: string])[] = [
  // A line that is left out, or several of them; and the rest of one.
  [/^…(?:\n|(?![\s\S]))/m, '[^]*?'],
  [/…/, '.*'],
  // Whether the doctor is content with this machine.
  [/^[✓✗] /m, '[✓✗] '],
  // Times.
  [/\b\d+(?:\.\d+)? (?:ms|s|seconds)\b/, '\\d+(?:\\.\\d+)? (?:ms|s|seconds)'],
  // Ports that happened to be free.
  [/\bport \d+/, 'port \\d+'],
  [/127\.0\.0\.1:\d+/, '127\\.0\\.0\\.1:\\d+'],
  // A recording's file: when it was begun, by which process.
  [/\.\d{8}T\d{9}\.\d+\.(?=\d+\.cast)/, '\\.\\d{8}T\\d{9}\\.\\d+\\.'],
  // The command that a person can type here, where nothing is installed: with the path of the build.
  [/`repartee attach/, '`\\S+ \\S+/main\\.js attach'],
  // What codex's tools call a piece of output.
  [/Chunk ID: [0-9a-f]{6}/, 'Chunk ID: [0-9a-f]{6}'],
];

const pattern = (shown: string): string => {
  const first = varying
    .map(([look, real]) => ({ found: look.exec(shown), real }))
    .filter(({ found }) => found !== null)
    .sort((one, other) => one.found!.index - other.found!.index)[0];
  if (first === undefined) return literally(shown);
  const { index, 0: text } = first.found!;
  return literally(shown.slice(0, index)) + first.real + pattern(shown.slice(index + text.length));
};

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const expectShown = (real: string, shown: string, where: string): void => {
  const wanted = shown.trimEnd();
  // A terminal's line ends, where a dialect gives them, have a CR that no page can show.
  const came = real.replaceAll('\r\n', '\n').trimEnd();
  // Only a comparison of the two texts shows where they differ.
  if (!new RegExp(`^${pattern(wanted)}$`).test(came)) expect(came, where).toBe(wanted);
};
