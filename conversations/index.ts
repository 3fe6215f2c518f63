import type { Conversation } from './conversation.ts';
import { debuggers } from './debuggers.ts';
import { editors } from './editors.ts';
import { fullScreen } from './full-screen.ts';
import { pagers } from './pagers.ts';
import { repls } from './repls.ts';
import { shells } from './shells.ts';

/** Every program Repartee is known to converse with. */
export const conversations: readonly Conversation[] = [
  ...shells,
  ...repls,
  ...debuggers,
  ...pagers,
  ...editors,
  ...fullScreen,
];
