/** How long nothing has happened: the weakest evidence, and all there is where the kernel is mute. */
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
