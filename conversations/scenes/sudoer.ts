import { renameSync, writeFileSync } from 'node:fs';
import type { MakeScene } from '../scenes.ts';
import { ordinary } from './ordinary.ts';
import { sudoRules } from './user.ts';

/** An ordinary user who may run anything as root, by their password, every time. Only for root. */
const sudoer =
  (relayed: boolean): MakeScene =>
  async (folder) => {
    const { env, strike } = await ordinary(folder);
    const who = env.WHO!;
    const rules = sudoRules(who);
    const settings = `${relayed ? '' : '!'}use_pty,timestamp_timeout=0,!lecture,!mail_badpass`;
    const text = `Defaults:${who} ${settings}\n${who} ALL=(ALL) ALL\n`;
    // sudo skips names with a dot, and must never see half a file.
    writeFileSync(`${rules}.new`, text, { mode: 0o440 });
    renameSync(`${rules}.new`, rules);
    return { env, strike };
  };

/** sudo makes a terminal of its own for the command, and relays it. */
export const relayedSudoer = sudoer(true);

/** The command gets our terminal. */
export const directSudoer = sudoer(false);
