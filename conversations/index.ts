import type { Conversation } from './conversation.ts';
import { awkward } from './tables/awkward.ts';
import { databases } from './tables/databases.ts';
import { debuggers } from './tables/debuggers.ts';
import { desk } from './tables/desk.ts';
import { disks } from './tables/disks.ts';
import { editors } from './tables/editors.ts';
import { files } from './tables/files.ts';
import { fullScreen } from './tables/full-screen.ts';
import { git } from './tables/git.ts';
import { installers } from './tables/installers.ts';
import { languages } from './tables/languages.ts';
import { network } from './tables/network.ts';
import { packages } from './tables/packages.ts';
import { pagers } from './tables/pagers.ts';
import { passwords } from './tables/passwords.ts';
import { remote } from './tables/remote.ts';
import { repls } from './tables/repls.ts';
import { shells } from './tables/shells.ts';
import { work } from './tables/work.ts';

/** Every program Repartee is known to converse with. */
export const conversations: readonly Conversation[] = [
  ...shells,
  ...repls,
  ...languages,
  ...debuggers,
  ...pagers,
  ...editors,
  ...fullScreen,
  ...files,
  ...desk,
  ...disks,
  ...installers,
  ...work,
  ...awkward,
  ...databases,
  ...remote,
  ...network,
  ...passwords,
  ...packages,
  ...git,
];
