/** How long nothing has happened: the weakest evidence, and the only one if /proc hides the program. */
export interface SilenceEvidence {
  /** Since the last byte of output. */
  outputMs: number;
  /** Since the last byte of input. */
  inputMs: number;
}

export const silenceEvidence = (
  nowMs: number,
  lastOutputMs: number,
  lastInputMs: number,
): SilenceEvidence => ({ outputMs: nowMs - lastOutputMs, inputMs: nowMs - lastInputMs });
