/** The words in which a state is told. */

/** `command`: a shell at its prompt. `line`: a question or a REPL. `secret`: the same, unseen. */
export type WaitingFor = 'command' | 'line' | 'secret' | 'key';

/**
 * `certain`: what is typed now will be read now, and the program has done what it was asked.
 * `likely`: the evidence has another, rarer explanation. `guess`: only silence speaks.
 */
export type Certainty = 'certain' | 'likely' | 'guess';

export type Activity =
  | 'computing'
  | 'sleeping'
  | 'on the network'
  | 'on the disk'
  | 'waiting for a child'
  | 'waiting for another process'
  | 'stopped'
  | 'stopped by Ctrl-S'
  | 'not known';

interface Common {
  certainty: Certainty;
  /** A short phrase that names the evidence. */
  because: string;
  /** The program in the foreground. */
  foreground?: string;
}

export type Verdict =
  | (Common & { state: 'exited' })
  | (Common & { state: 'working'; activity: Activity })
  | (Common & {
      state: 'waiting';
      waitingFor: WaitingFor;
      prompt?: string;
      /** It is certain that it waits, and only likely for what: a shell, at its prompt or in `read`. */
      surelyWaits?: true;
    });
