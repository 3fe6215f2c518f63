/** The line below an attached session: its name, whose turn it is, who has the keyboard, and the keys. */
import { turnText } from '../../dialects/native/text.ts';
import { plainText } from '../../plain-text.ts';
import type { SessionState } from '../../session/sessions.ts';

export interface StatusFacts {
  session: string;
  /** Absent until the daemon has told it. */
  situation?: SessionState;
  isReadOnly: boolean;
  hasKeyboard: boolean;
  /** Another who has the keyboard. */
  holder?: string;
  /** After Ctrl-\, before the next key. */
  isAfterPrefix: boolean;
  /** Shown in place of the keys. */
  message?: string;
}

/** Exactly as wide as the window. What matters least is left out where it does not fit. */
export const statusLine = (facts: StatusFacts, cols: number): string => {
  const parts = partsOf(facts);
  while (parts.length > KEPT_PARTS && joined(parts).length > cols) parts.pop();
  const characters = [...joined(parts)];
  if (characters.length <= cols) return characters.join('').padEnd(cols);
  return `${characters.slice(0, cols - 1).join('')}…`;
};

/** The name and whose turn it is: rather cut than left out. */
const KEPT_PARTS = 2;

/** What matters most comes first. */
const partsOf = (facts: StatusFacts): string[] => {
  if (facts.isAfterPrefix) return ['Ctrl-\\ …', ...HOTKEYS];
  const name = plainText(facts.session);
  if (facts.message !== undefined) return [`${name}: ${plainText(facts.message)}`];
  return [name, ...turn(facts), ...keyboard(facts), ...keys(facts)];
};

const HOTKEYS = [
  'd detaches',
  't takes the keyboard or gives it back',
  's hides or shows the status line',
  'Ctrl-\\ types it',
];

export const HOTKEY_HELP = `Ctrl-\\ ${HOTKEYS.join(', ')}`;

const turn = ({ situation }: StatusFacts): string[] => {
  if (situation === undefined) return [];
  // The window shows the prompt itself.
  const { prompt: _, ...withoutPrompt } = situation;
  return [plainText(turnText(withoutPrompt))];
};

const keyboard = ({ hasKeyboard, holder, isReadOnly }: StatusFacts): string[] => {
  if (hasKeyboard) return ['you have the keyboard'];
  if (holder !== undefined) return [`${plainText(holder)} has the keyboard`];
  return [isReadOnly ? 'you look on' : 'everybody can type'];
};

const keys = ({ isReadOnly, hasKeyboard }: StatusFacts): string[] => {
  if (isReadOnly) return ['q leaves', 'Ctrl-\\ s hides this line'];
  return [
    'Ctrl-\\ d detaches',
    `t ${hasKeyboard ? 'gives the keyboard back' : 'takes the keyboard'}`,
    's hides this line',
  ];
};

const joined = (parts: readonly string[]): string => ` ${parts.join(' | ')}`;
