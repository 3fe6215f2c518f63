/** The options of `open` by name, checked by the compiler: a new one is an error here until it is listed. */
import type {
  HistoryLimits,
  OpenOptions,
  ProgramLimits,
} from '../../src/session/options/options.ts';

const history: Record<keyof HistoryLimits, true> = { maxBytes: true, maxLines: true };

const limits: Record<keyof ProgramLimits, true> = {
  cpuSeconds: true,
  memoryBytes: true,
  processes: true,
  fileBytes: true,
  nice: true,
};

const options: Record<keyof OpenOptions, true | object> = {
  command: true,
  cwd: true,
  env: true,
  name: true,
  cols: true,
  rows: true,
  shell: true,
  clean: true,
  tty: true,
  stdin: true,
  timeoutMs: true,
  history,
  limits,
  record: true,
};

/** `command`, `cwd`, …, `history.maxBytes`, … */
export const openOptions: readonly string[] = Object.entries(options).flatMap(([name, parts]) =>
  parts === true ? [name] : Object.keys(parts).map((part) => `${name}.${part}`),
);
