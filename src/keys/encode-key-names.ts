/** Encodes a list of keys such as "C-x Up Enter" as writes to the terminal. */
import { UnknownKey } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import type { InputWrite, KeyInputModes } from './input-writes.ts';
import { encodeKey, type KeyPress, parseKey, splitKeyModifiers } from './key-press.ts';
import { encodeMouse, mouseSyntaxHelp, parseMouse } from './mouse.ts';
import { keySequences } from './sequences.ts';

export function encodeKeyNames(keys: string, modes: KeyInputModes): InputWrite[] {
  return splitKeys(keys).map((notation) => encodeOne(notation, modes));
}

/** Splits at spaces. Spaces alone are Space keys, and "Click(10, 5)" stays whole. */
function splitKeys(keys: string): string[] {
  if (/^ +$/.test(keys)) return [...keys];
  const words = keys.match(/[\w+-]*[a-z]\([^()]*\)|[^ ]+/gi) ?? [];
  return words.flatMap(splitBrackets);
}

/** vim's notation, "<Esc>:wq<CR>": names are in brackets, any other character is a key. */
function splitBrackets(word: string): string[] {
  if (!/<[^<>]+>/.test(word)) return [word];
  const parts = word.match(/<[^<>]+>|./gsu) ?? [];
  return parts.map((part) => (part.length > 2 && part.startsWith('<') ? part.slice(1, -1) : part));
}

function encodeOne(notation: string, modes: KeyInputModes): InputWrite {
  const raw = parseRaw(notation);
  if (raw !== undefined) return asWrite(raw);
  const key = parseKey(notation);
  if (key) return asWrite(encodeKey(key, modes), key);
  const mouse = parseMouse(notation);
  if (mouse) return { kind: 'key', bytes: encodeMouse(mouse, modes) };
  throw new UnknownKey(notation, suggestionFor(notation));
}

/**
 * A string that begins with a control character is bytes, not a name. So is one that begins with an
 * escape such as \x03 or \u001b spelt out: callers sometimes quote it once too often.
 */
function parseRaw(notation: string): string | undefined {
  const unquoted = notation.replace(
    /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(e))/i,
    (_whole, byte, unit) => String.fromCharCode(Number.parseInt(byte ?? unit ?? '1b', 16)),
  );
  return /^[\x00-\x1f\x7f]/.test(unquoted) ? unquoted : undefined;
}

function asWrite(bytes: string, key?: KeyPress): InputWrite {
  const typesItself = key && 'character' in key && bytes === key.character;
  const kind =
    bytes === '\r' ? 'enter' : bytes === '\x1b' ? 'escape' : typesItself ? 'text' : 'key';
  return { kind, bytes: Buffer.from(bytes) };
}

function suggestionFor(notation: string): string | undefined {
  const name = splitKeyModifiers(notation)[1].replace(/\(.*/s, '');
  const candidate = nearestWord(name, [...Object.keys(keySequences), ...mouseSyntaxHelp.keys()]);
  return candidate && (mouseSyntaxHelp.get(candidate) ?? candidate);
}
