/** One key with its modifiers: parses its name, prints its name, and encodes it as bytes. */
import { UntypableKey } from '../errors.ts';
import type { KeyInputModes } from './input-writes.ts';
import {
  type KeyName,
  type KeySequence,
  keyCombinationAliases,
  keyNameAliases,
  keySequences,
} from './sequences.ts';

export interface KeyModifiers {
  control: boolean;
  alt: boolean;
  shift: boolean;
}

export type KeyPress = KeyModifiers & ({ name: KeyName } | { character: string });

const modifierPrefix = /^(ctrl|control|c|alt|meta|option|opt|m|a|shift|s)[-+](?=.)/is;

/** "C-M-Left" is control and alt, and the rest is "Left". */
export function splitKeyModifiers(notation: string): [KeyModifiers, rest: string] {
  const modifiers = { control: false, alt: false, shift: false };
  let rest = notation;
  for (let prefix = modifierPrefix.exec(rest); prefix; prefix = modifierPrefix.exec(rest)) {
    const letter = prefix[1]![0]!.toLowerCase();
    modifiers[letter === 'c' ? 'control' : letter === 's' ? 'shift' : 'alt'] = true;
    rest = rest.slice(prefix[0].length);
  }
  return [modifiers, rest];
}

const keyNames = new Map<string, KeyName>([
  ...(Object.keys(keySequences) as KeyName[]).map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(keyNameAliases),
]);

/** Undefined if there is no key of that name. */
export function parseKey(notation: string): KeyPress | undefined {
  const caret = /^\^([@-_a-z?])$/.exec(notation);
  if (caret) return { control: true, alt: false, shift: false, character: caret[1]! };

  const [modifiers, rest] = splitKeyModifiers(notation);
  if (rest === ' ') return { ...modifiers, name: 'Space' };
  if ([...rest].length === 1) return { ...modifiers, character: rest };

  const plain = rest.toLowerCase().replaceAll(/[-_]/g, '');
  const combination = keyCombinationAliases.get(plain);
  if (combination) {
    const key = parseKey(combination)!;
    return {
      ...key,
      control: key.control || modifiers.control,
      alt: key.alt || modifiers.alt,
      shift: key.shift || modifiers.shift,
    };
  }
  const name = keyNames.get(plain);
  return name && { ...modifiers, name };
}

/** The key in the notation of docs/reference/keys.md. */
export function formatKey(key: KeyPress): string {
  const { control, alt, shift } = key;
  const base = 'name' in key ? key.name : key.character;
  return `${control ? 'C-' : ''}${alt ? 'M-' : ''}${shift ? 'S-' : ''}${base}`;
}

export function encodeKey(key: KeyPress, modes: Pick<KeyInputModes, 'applicationCursor'>): string {
  if ('character' in key) return withAlt(key, encodeCharacter(key));

  const sequence: KeySequence = keySequences[key.name];
  if ('character' in sequence) return withAlt(key, encodeNamed(key, sequence));

  const { control, alt, shift } = key;
  const modifiers = 1 + Number(shift) + 2 * Number(alt) + 4 * Number(control);
  if ('number' in sequence) {
    return modifiers === 1 ? `\x1b[${sequence.number}~` : `\x1b[${sequence.number};${modifiers}~`;
  }
  const final = 'cursor' in sequence ? sequence.cursor : sequence.function;
  if (modifiers > 1) return `\x1b[1;${modifiers}${final}`;
  return 'function' in sequence || modes.applicationCursor ? `\x1bO${final}` : `\x1b[${final}`;
}

const withAlt = ({ alt }: KeyModifiers, bytes: string) => (alt ? `\x1b${bytes}` : bytes);

function encodeNamed(key: KeyPress, sequence: Extract<KeySequence, { character: string }>): string {
  const { control, shift } = key;
  if (!control && !shift) return sequence.character;
  const bytes = control === shift ? undefined : control ? sequence.control : sequence.shift;
  if (bytes === undefined) throw untypable(key);
  return bytes;
}

function encodeCharacter(key: KeyPress & { character: string }): string {
  const { character, control, shift } = key;
  const upper = character.toUpperCase();
  if (control && shift) throw untypable(key, { shift: false });
  if (shift) {
    // Letters only: the keyboard layout decides what Shift makes of "1", and there is no keyboard.
    if (upper === character.toLowerCase() || upper.length !== character.length)
      throw untypable(key);
    return upper;
  }
  if (!control) return character;
  if (character === '?') return '\x7f';
  // People press Ctrl and "/" to type ^_, which is undo in emacs and readline.
  if (character === '/') return '\x1f';
  if (!/^[@-_]$/.test(upper)) throw untypable(key);
  return String.fromCharCode(upper.charCodeAt(0) & 0x1f);
}

const untypable = (
  key: KeyPress,
  without: Partial<KeyModifiers> = { control: false, shift: false },
) => new UntypableKey(formatKey(key), formatKey({ ...key, ...without }));
