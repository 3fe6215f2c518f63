/** Builds the state of a session as results show it, from the verdict and other facts. */

import type { Verdict } from '../state/verdict.ts';
import type { Exit } from '../system/process/reaper.ts';
import type { MaskedOutput } from './secrets/masked-output.ts';
import type { SecretSource } from './secrets/secrets.ts';
import type { SessionState } from './sessions.ts';

export interface SessionStateInputs {
  session: string;
  exit: Exit | undefined;
  listening: number[];
  secretNames: SecretSource['names'];
  /** The person who has taken the keyboard. */
  keyboard: string | undefined;
  /** How many typed characters are held back until their line is finished. */
  held: number;
  masking: Pick<MaskedOutput, 'inText'>;
}

export const sessionStateOf = (verdict: Verdict, facts: SessionStateInputs): SessionState => {
  const { session, exit, listening, keyboard, held } = facts;
  const { state, certainty, because, foreground } = verdict;
  const isWaiting = verdict.state === 'waiting';
  const prompt = isWaiting ? verdict.prompt : undefined;
  const wantsSecret = isWaiting && verdict.waitingFor === 'secret';
  const secrets = wantsSecret ? facts.secretNames(foreground) : [];
  return {
    session,
    state,
    ...(isWaiting && { waitingFor: verdict.waitingFor }),
    ...(prompt !== undefined && { prompt: facts.masking.inText(prompt) }),
    certainty,
    because,
    ...(foreground !== undefined && { foreground }),
    ...(listening.length > 0 && { listening }),
    ...(secrets.length > 0 && { secrets }),
    ...(exit?.code !== undefined && { exitCode: exit.code }),
    ...(exit?.signal !== undefined && { signal: exit.signal }),
    ...(keyboard !== undefined && { keyboard }),
    ...(held > 0 && { notice: heldNotice(held) }),
  };
};

const heldNotice = (count: number): string =>
  `${count} typed characters are held until Enter, since the user's policy judges whole lines`;
