/** The pattern that a command waits for, which is written in Python's syntax. */
import { InvalidPattern, PatternNotTranslatable, PatternTooSlow } from '../../errors.ts';
import { Pattern } from '../../views/pattern.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { translatePythonRegex } from './python-regex-to-javascript.ts';

export const compileExpectPattern = async (source: string): Promise<Pattern> => {
  try {
    return await Pattern.compileTranslated(source, translatePythonRegex);
  } catch (error) {
    if (
      error instanceof InvalidPattern ||
      error instanceof PatternNotTranslatable ||
      error instanceof PatternTooSlow
    )
      throw new DialectError(`invalid expect pattern: ${error.message}`);
    throw error;
  }
};
