import { createInterface } from 'node:readline/promises';

/** Asks a person. Where there is none, the answer is no. */
export const confirm = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
};
