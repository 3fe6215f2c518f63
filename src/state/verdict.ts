/** A verdict: the state of a program, as the judge describes it. */

/** `command`: a shell at its prompt. `line`: a question or a REPL. `secret`: a line without echo. */
export type WaitingFor = 'command' | 'line' | 'secret' | 'key';

/**
 * `certain`: input will be read now, and the program has finished what it was asked to do.
 * `likely`: the evidence has another, rarer explanation. `guess`: silence is the only evidence.
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
      /** That it waits is certain; what for is only likely: a shell at its prompt, or in its `read`. */
      surelyWaits?: true;
      /** Nothing else can happen for a while, so it need not be seen to last. */
      isSettled?: true;
      /** A shell at its prompt whose marks are gone. */
      isUnmarked?: true;
    });

/** The verdict that a program works, for this reason. */
export const working = (
  activity: Activity,
  because: string,
  certainty: Certainty = 'certain',
): Verdict => ({
  state: 'working',
  activity,
  certainty,
  because,
});
