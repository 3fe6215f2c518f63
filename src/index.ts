/** Public surface. Whatever is named here is a promise; explicit names only. */

export { connectDaemon, type DaemonSessions } from './daemon/client.ts';
export type { ConnectOptions } from './daemon/connect.ts';
export type { LivingSession } from './daemon/protocol.ts';
export { type DialectName, dialect, dialectNames } from './dialects/dialects.ts';
export { type NativeOptions, native } from './dialects/native/native.ts';
export type { DialectOptions } from './dialects/options.ts';
export type { Answer, Dialect, Hints, Tool } from './dialects/tool.ts';
export { TerminalError } from './errors.ts';
export type { Channel, Closed, CloseOptions } from './pty/channel.ts';
export type { Survivor } from './pty/closing.ts';
export type { LineMode } from './pty/device.ts';
export { openPipes, type Pipes, type PipesOptions } from './pty/pipes.ts';
export { type Adopted, adoptPty, openPty, type Pty, type PtyOptions } from './pty/pty.ts';
export type { Exit } from './pty/reaper.ts';
export { type CastEvent, type CastHeader, readEvents, readHeader } from './session/asciicast.ts';
export { LocalSessions } from './session/local-sessions.ts';
export type {
  Act,
  Guard,
  HistoryLimits,
  OpenOptions,
  ProgramLimits,
  ReadOptions,
  RecordingOptions,
  RunOptions,
  SendOptions,
  SessionsOptions,
  Until,
  ViewName,
  WaitFor,
  WaitOptions,
} from './session/options.ts';
export { environmentSecrets, fileSecrets, standardSecrets } from './session/secret-sources.ts';
export { type Leave, type Secret, type SecretSource, secretsFrom } from './session/secrets.ts';
export type {
  Call,
  Progress,
  Result,
  RunResult,
  ScreenFacts,
  SessionEvent,
  Sessions,
  Situation,
  Summary,
} from './session/sessions.ts';
export { examineMachine, type Finding } from './state/machine.ts';
export type { Certainty, WaitingFor } from './state/verdict.ts';
export type { Omitted } from './views/budget.ts';
export type { MarkedText } from './views/marked.ts';
