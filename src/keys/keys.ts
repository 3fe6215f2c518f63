/** "C-x Up Enter", as somebody wrote it, to what is written to the terminal for it. */
import { UnknownKey } from '../errors.ts';
import type { InputModes, InputWrite } from './input.ts';
import { encodeKey, type Key, parseKey, splitModifiers } from './key.ts';
import { encodeMouse, mouseUsage, parseMouse } from './mouse.ts';
import { nearest } from './nearest.ts';
import { sequences } from './sequences.ts';

export function encodeKeys(keys: string, modes: InputModes): InputWrite[] {
  return splitKeys(keys).map((written) => encodeOne(written, modes));
}

/** Keys are separated by spaces; spaces alone are pressed, and those in "Click(10, 5)" are not. */
function splitKeys(keys: string): string[] {
  if (/^ +$/.test(keys)) return [...keys];
  const words = keys.match(/[\w+-]*[a-z]\([^()]*\)|[^ ]+/gi) ?? [];
  return words.flatMap(splitBrackets);
}

/** In vim's notation names stand in brackets and all else for itself: "<Esc>:wq<CR>". */
function splitBrackets(word: string): string[] {
  if (!/<[^<>]+>/.test(word)) return [word];
  const parts = word.match(/<[^<>]+>|./gsu) ?? [];
  return parts.map((part) => (part.length > 2 && part.startsWith('<') ? part.slice(1, -1) : part));
}

function encodeOne(written: string, modes: InputModes): InputWrite {
  const raw = parseRaw(written);
  if (raw !== undefined) return asWrite(raw);
  const key = parseKey(written);
  if (key) return asWrite(encodeKey(key, modes), key);
  const mouse = parseMouse(written);
  if (mouse) return { kind: 'key', bytes: encodeMouse(mouse, modes) };
  throw new UnknownKey(written, suggestionFor(written));
}

/**
 * What begins with a control character is bytes already, not a name; also where an escape such as
 * \x03 or \u001b arrives spelt out, because it was quoted once too often on the way.
 */
function parseRaw(written: string): string | undefined {
  const unquoted = written.replace(
    /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(e))/i,
    (_whole, byte, unit) => String.fromCharCode(Number.parseInt(byte ?? unit ?? '1b', 16)),
  );
  return /^[\x00-\x1f\x7f]/.test(unquoted) ? unquoted : undefined;
}

function asWrite(bytes: string, key?: Key): InputWrite {
  const typesItself = key && 'character' in key && bytes === key.character;
  const kind =
    bytes === '\r' ? 'enter' : bytes === '\x1b' ? 'escape' : typesItself ? 'text' : 'key';
  return { kind, bytes: Buffer.from(bytes) };
}

function suggestionFor(written: string): string | undefined {
  const name = splitModifiers(written)[1].replace(/\(.*/s, '');
  const found = nearest(name, [...Object.keys(sequences), ...mouseUsage.keys()]);
  return found && (mouseUsage.get(found) ?? found);
}
