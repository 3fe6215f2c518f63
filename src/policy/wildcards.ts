/** Names and folders in rules: `*` stands for anything. */

/** A rule without it fits every name. */
export const fitsName = (pattern: string | undefined, name: string): boolean =>
  pattern === undefined || fits(pattern, name);

/** The folder itself, or one that lies in it. */
export const fitsFolder = (pattern: string, folder: string): boolean => {
  const plain = pattern.replace(/(?<=.)\/+$/, '');
  return fits(plain, folder) || fits(plain === '/' ? '/*' : `${plain}/*`, folder);
};

/** Without a regular expression: no name can make this slow. */
const fits = (pattern: string, text: string): boolean => {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return text === first;
  const last = rest.pop()!;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.endsWith(last) && text.length - last.length >= at;
};
