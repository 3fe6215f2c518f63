/** Translates a Python regular expression to JavaScript, as far as possible. */
import { InvalidPattern, PatternTooSlow } from '../../errors.ts';
import { Pattern } from '../../views/pattern.ts';
import { DialectError } from '../shared/dialect-error.ts';

export const compileExpectPattern = async (source: string): Promise<Pattern> => {
  try {
    return await Pattern.compile(translatePythonRegex(source));
  } catch (error) {
    if (error instanceof InvalidPattern || error instanceof PatternTooSlow)
      throw new DialectError(`invalid expect pattern: ${error.message}`);
    throw error;
  }
};

const START = '(?<![^])';
const END = '(?![^])';

/** In our patterns ^ and $ match at every line, in Python's only after (?m). */
export const translatePythonRegex = (source: string): string => {
  const [prefix, flags = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [''];
  const isMultiline = flags.includes('m');
  let inClass = false;
  const body = source.slice(prefix.length).replace(/\\.|[[\]^$]/gs, (token) => {
    if (token === '\\Z' && !inClass) return END;
    if (token === '\\A' && !inClass) return START;
    if (token.startsWith('\\')) return token;
    if (token === '[' || token === ']') {
      inClass = token === '[';
      return token;
    }
    if (inClass || isMultiline) return token;
    return token === '^' ? START : END;
  });
  return prefix + body;
};
