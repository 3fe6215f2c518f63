/** What a process that keeps sessions of its own asks of the daemon, which has the policy. */
import type { ScreenLook } from '../../session/input/screen-look.ts';
import type { WaitingFor } from '../../state/verdict.ts';
import type { WireBytes } from './protocol.ts';

/** Input for a session that is not the daemon's. All of it is what that process knows. */
export interface OutsideInput {
  session: string;
  cwd?: string;
  position: number;
  inputs: number;
  program?: string;
  waitingFor?: WaitingFor;
  prompt?: string;
  isCanonical: boolean;
  isFullScreen: boolean;
  screen: string;
  look: ScreenLook;
  bytes: WireBytes;
  isPaste: boolean;
  /** The command, if the input runs one. */
  run?: string;
  /** What the policy has said of this session's input the last time. */
  state?: string;
  /** A person has allowed it. */
  approval?: string;
  /** A person is to be asked now. */
  isAsking?: boolean;
}

export type OutsideInputAnswer =
  /** `text`: was held before, and is typed with it. */
  | { then: 'type'; text: string; state?: string }
  | { then: 'hold'; state?: string }
  /** The same is to be sent again, with `isAsking`. */
  | { then: 'ask'; state?: string }
  | { then: 'approved'; approval: string };
