import { awkward } from './awkward.ts';
import type { Conversation } from './conversation.ts';
import { databases } from './databases.ts';
import { debuggers } from './debuggers.ts';
import { editors } from './editors.ts';
import { fullScreen } from './full-screen.ts';
import { git } from './git.ts';
import { installers } from './installers.ts';
import { packages } from './packages.ts';
import { pagers } from './pagers.ts';
import { passwords } from './passwords.ts';
import { remote } from './remote.ts';
import { repls } from './repls.ts';
import { shells } from './shells.ts';
import { work } from './work.ts';

/** Every program Repartee is known to converse with. */
export const conversations: readonly Conversation[] = [
  ...shells,
  ...repls,
  ...debuggers,
  ...pagers,
  ...editors,
  ...fullScreen,
  ...installers,
  ...work,
  ...awkward,
  ...databases,
  ...remote,
  ...passwords,
  ...packages,
  ...git,
];
