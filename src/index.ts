/** Public surface. Whatever is named here is a promise; explicit names only. */

export type { ConnectOptions } from './daemon/client/connect.ts';
export { connectDaemon, type DaemonSessions } from './daemon/client/daemon-sessions.ts';
export type { JournaledSession } from './daemon/protocol/protocol.ts';
export { type DialectName, dialectNames } from './dialects/dialect-names.ts';
export { dialect } from './dialects/foreign-dialects.ts';
export { type NativeOptions, native } from './dialects/native/dialect.ts';
export type { DialectOptions } from './dialects/shared/dialect-options.ts';
export type { Dialect, Tool, ToolHints, ToolResult } from './dialects/tool.ts';
export { TerminalError } from './errors.ts';
export { drawPng } from './picture/draw-png.ts';
export { drawSvg } from './picture/draw-svg.ts';
export type { Caller, CallerClaim, ClientProgram, Door } from './session/caller.ts';
export { LocalSessions } from './session/local-sessions.ts';
export type {
  Guard,
  GuardedAction,
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
} from './session/options/options.ts';
export {
  type CastEvent,
  type CastHeader,
  readEvents,
  readHeader,
} from './session/recording/asciicast.ts';
export {
  environmentSecrets,
  fileSecrets,
  standardSecrets,
} from './session/secrets/secret-sources.ts';
export {
  type Secret,
  type SecretPermission,
  type SecretSource,
  secretsFrom,
} from './session/secrets/secrets.ts';
export type {
  CallOptions,
  CallProgress,
  RunResult,
  ScreenFacts,
  SessionEvent,
  SessionResult,
  SessionState,
  SessionSummary,
  Sessions,
} from './session/sessions.ts';
export type { Certainty, WaitingFor } from './state/verdict.ts';
export { examineMachine, type Finding } from './system/diagnostics.ts';
export type { Survivor } from './system/process/end-process-session.ts';
export type { Exit } from './system/process/reaper.ts';
export type { Channel } from './system/terminal/channel.ts';
export {
  type AdoptedPipes,
  adoptPipes,
  openPipes,
  type Pipes,
  type PipesOptions,
} from './system/terminal/pipes.ts';
export {
  type AdoptedTerminal,
  adoptPty,
  openPty,
  type Pty,
  type PtyOptions,
} from './system/terminal/pty.ts';
export type { LineMode } from './system/terminal/pty-device.ts';
export type { CloseOptions, CloseResult, Terminal } from './system/terminal/terminal.ts';
export type { Omitted } from './views/budget.ts';
export type { HighlightedText } from './views/highlighted-text.ts';
export type { ScreenPicture } from './views/picture.ts';
