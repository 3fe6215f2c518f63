import type { Conversation } from './conversation.ts';
import { shells } from './shells.ts';

/** Every program Repartee is known to converse with. */
export const conversations: readonly Conversation[] = [...shells];
