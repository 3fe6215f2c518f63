/** Whether the audit is as it was written. */
import { readFileSync } from 'node:fs';
import type { AuditVerdict } from '../../protocol/audit-verdict.ts';
import { type AuditLog, type AuditState, codeOf, parseAuditLine } from './audit-log.ts';

/** The file before this one, and this one. */
export const verifyAudit = (
  audit: Pick<AuditLog, 'path' | 'state' | 'isKept' | 'flush'>,
): AuditVerdict => {
  audit.flush();
  const { path, state } = audit;
  const lines = [...readLines(`${path}.1`), ...readLines(path)];
  const found = walk(lines, state);
  return { path, isKept: audit.isKept, ...found };
};

interface NumberedLine {
  file: string;
  /** Counted from 1. */
  at: number;
  text: string;
}

const readLines = (file: string): NumberedLine[] => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => ({ file, at: index + 1, text: line }));
};

type Walked = Pick<AuditVerdict, 'verdict' | 'proven' | 'unproven' | 'problem'>;

const walk = (lines: readonly NumberedLine[], state: AuditState): Walked => {
  const { key, keyId } = state;
  let proven = 0;
  let unproven = 0;
  /** The code before the next line, once a line with our key has begun. */
  let code: string | undefined;
  let number = 0;
  const broken = (problem: string, line?: NumberedLine): Walked => ({
    verdict: 'broken',
    proven,
    unproven,
    problem: line === undefined ? problem : `${line.file}, line ${line.at}: ${problem}`,
  });
  for (const line of lines) {
    const parsed = parseAuditLine(line.text);
    if (parsed === undefined) {
      if (code === undefined) {
        unproven++;
        continue;
      }
      return broken('it is no line of the audit', line);
    }
    // Lines before the first with our key were written with a key that is gone.
    if (code === undefined && parsed.begin?.key !== keyId) {
      unproven++;
      continue;
    }
    if (code === undefined) {
      code = parsed.begin!.previous;
      number = parsed.number - 1;
    }
    if (parsed.number !== number + 1)
      return broken(
        `it has number ${parsed.number} after ${number}: lines are missing or added`,
        line,
      );
    if (codeOf({ key, code }, parsed.body) !== parsed.code)
      return broken('its code is wrong: it or the line before it was changed', line);
    code = parsed.code;
    number = parsed.number;
    proven++;
  }
  if (number !== state.number)
    return broken(`it ends with line ${number}, and ${state.number} were written`);
  if (unproven > 0)
    return {
      verdict: 'unknown',
      proven,
      unproven,
      problem: 'the key of the older lines is gone, with the keeper that had it',
    };
  return { verdict: 'intact', proven, unproven };
};
