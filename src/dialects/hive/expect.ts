/** A regular expression of Python's kind, as far as it can be said in JavaScript. */
import { InvalidPattern, PatternTooSlow } from '../../errors.ts';
import { Pattern } from '../../views/pattern.ts';
import { DialectError } from '../shared/dialect-error.ts';

export const compileExpect = async (source: string): Promise<Pattern> => {
  try {
    return await Pattern.compile(fromPython(source));
  } catch (error) {
    if (error instanceof InvalidPattern || error instanceof PatternTooSlow)
      throw new DialectError(`invalid expect pattern: ${error.message}`);
    throw error;
  }
};

const START = '(?<![^])';
const END = '(?![^])';

/** Our patterns have ^ and $ match at every line; Python's do only after (?m). */
export const fromPython = (source: string): string => {
  const [prefix, letters = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [''];
  const byLines = letters.includes('m');
  let inClass = false;
  const body = source.slice(prefix.length).replace(/\\.|[[\]^$]/gs, (token) => {
    if (token === '\\Z' && !inClass) return END;
    if (token === '\\A' && !inClass) return START;
    if (token.startsWith('\\')) return token;
    if (token === '[' || token === ']') {
      inClass = token === '[';
      return token;
    }
    if (inClass || byLines) return token;
    return token === '^' ? START : END;
  });
  return prefix + body;
};
