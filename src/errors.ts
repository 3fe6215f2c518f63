/**
 * Every error this package throws on purpose.
 *
 * Code branches on `code`, never on the message: the message is for the agent that will read it, so
 * it says what is wrong and what to do next. Only what `toJSON` returns is sent over a socket.
 * docs/reference/errors.md lists every code; a test compares the two.
 */

/** An error repeats what it was given, and a command or a pattern can be very long. */
const MAX_MESSAGE_LENGTH = 2000;
/** A screen fits. */
const MAX_DETAIL_LENGTH = 10_000;

/** Cuts in the middle: what to do stands at the end. */
const shortened = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength / 2)} […] ${text.slice(-maxLength / 2)}`;

export abstract class TerminalError extends Error {
  abstract readonly code: string;
  /** Plain data about the failure. */
  abstract readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string) {
    super(shortened(message, MAX_MESSAGE_LENGTH));
  }

  // A getter, so that the name is inherited and does not show up among the error's own properties.
  override get name() {
    return this.constructor.name;
  }

  toJSON() {
    const details = Object.fromEntries(
      Object.entries(this.details).map(([key, value]) => [
        key,
        typeof value === 'string' ? shortened(value, MAX_DETAIL_LENGTH) : value,
      ]),
    );
    return { code: this.code, message: this.message, details };
  }
}

export class UnsupportedPlatform extends TerminalError {
  readonly code = 'UNSUPPORTED_PLATFORM';
  readonly details: { platform: string; arch: string };

  constructor(platform: string, arch: string) {
    super(
      `Repartee runs on Linux on x64 and arm64; this is ${platform} on ${arch}. ` +
        'Run it in a Linux machine or container.',
    );
    this.details = { platform, arch };
  }
}

export class TerminalUnavailable extends TerminalError {
  readonly code = 'TERMINAL_UNAVAILABLE';
  readonly details: { call: string; errno: string };

  constructor(call: string, errno: string) {
    super(
      `The system gave no new terminal or pipe (${call}: ${errno}). ${remedies[errno] ?? ''}`.trimEnd(),
    );
    this.details = { call, errno };
  }
}

const remedies: Readonly<Record<string, string>> = {
  EMFILE: 'This process has too many open files: close sessions, or raise `ulimit -n`.',
  ENFILE: 'The whole machine has too many open files: close sessions.',
  ENOSPC: 'All pseudo-terminals are in use: close sessions, or raise kernel.pty.max.',
  ENOENT: 'Is /dev/pts mounted?',
};

export class ProgramNotFound extends TerminalError {
  readonly code = 'PROGRAM_NOT_FOUND';
  readonly details: { program: string; searched: readonly string[] };

  constructor(program: string, searched: readonly string[]) {
    const where = searched.length > 0 ? ` in ${searched.join(':')}` : '';
    super(
      `There is no program "${program}"${where}. Check the spelling, install it, or give its full path.`,
    );
    this.details = { program, searched };
  }
}

export class ProgramNotExecutable extends TerminalError {
  readonly code = 'PROGRAM_NOT_EXECUTABLE';
  readonly details: { program: string; reason: string };

  constructor(program: string, reason: string) {
    super(`"${program}" cannot be run: ${reason}.`);
    this.details = { program, reason };
  }
}

export class InterpreterNotFound extends TerminalError {
  readonly code = 'INTERPRETER_NOT_FOUND';
  readonly details: { program: string; interpreter: string };

  constructor(program: string, interpreter: string) {
    super(
      `"${program}" needs ${JSON.stringify(interpreter)} to run it, and that is not there. ` +
        (interpreter.endsWith('\r')
          ? 'The script has Windows line ends: convert it, for example with dos2unix.'
          : 'Install it, or correct the first line of the script.'),
    );
    this.details = { program, interpreter };
  }
}

export class CwdNotFound extends TerminalError {
  readonly code = 'CWD_NOT_FOUND';
  readonly details: { cwd: string };

  constructor(cwd: string) {
    super(`There is no folder "${cwd}" to start in. Create it, or give another cwd.`);
    this.details = { cwd };
  }
}

export class CwdNotFolder extends TerminalError {
  readonly code = 'CWD_NOT_FOLDER';
  readonly details: { cwd: string };

  constructor(cwd: string) {
    super(`"${cwd}" is not a folder, so nothing can start in it. Give a folder as cwd.`);
    this.details = { cwd };
  }
}

export class CwdNotPermitted extends TerminalError {
  readonly code = 'CWD_NOT_PERMITTED';
  readonly details: { cwd: string };

  constructor(cwd: string) {
    super(`This user may not enter "${cwd}". Give another cwd, or change its permissions.`);
    this.details = { cwd };
  }
}

export class UnusableArgument extends TerminalError {
  readonly code = 'UNUSABLE_ARGUMENT';
  readonly details: { what: string; reason: string };

  constructor(what: string, reason: string) {
    super(`${what} cannot be used: ${reason}.`);
    this.details = { what, reason };
  }
}

export class ArgumentsTooLarge extends TerminalError {
  readonly code = 'ARGUMENTS_TOO_LARGE';
  readonly details: { program: string; largest: string; bytes: number };

  constructor(program: string, largest: string, bytes: number) {
    super(
      `The arguments and environment of "${program}" are more than the kernel takes; the largest is ` +
        `${largest} with ${bytes} bytes (one may have 131071). Pass large data in a file.`,
    );
    this.details = { program, largest, bytes };
  }
}

const spawnRemedies: Readonly<Record<string, string>> = {
  EAGAIN: 'This user has too many processes: close sessions, or raise `ulimit -u`.',
  ENOMEM: 'The machine is out of memory: close sessions.',
  ETXTBSY: 'The file is being written to: try again when that is done.',
};

export class SpawnFailed extends TerminalError {
  readonly code = 'SPAWN_FAILED';
  readonly details: { program: string; errno: string };

  constructor(program: string, errno: string) {
    super(`"${program}" could not be started: ${errno}. ${spawnRemedies[errno] ?? ''}`.trimEnd());
    this.details = { program, errno };
  }
}

export class InvalidSize extends TerminalError {
  readonly code = 'INVALID_SIZE';
  readonly details: { cols: unknown; rows: unknown };

  constructor(cols: unknown, rows: unknown) {
    super(
      `A terminal has 1 to 65535 whole columns, 1 to 10000 rows and at most a million cells, ` +
        `not ${cols} by ${rows}.`,
    );
    // As text: JSON has no NaN and no Infinity.
    this.details = { cols: String(cols), rows: String(rows) };
  }
}

export class ProgramExited extends TerminalError {
  readonly code = 'PROGRAM_EXITED';
  readonly details: { attempt: string; ending: string; session?: string };

  /** `session` is missing if the error is created where the session's name is not known. */
  constructor(attempt: string, ending: string, session?: string) {
    const where = session === undefined ? '' : ` of session "${session}"`;
    super(
      `The program${where} has ended (${ending}), so it cannot be ${attempt}. Open a new session.`,
    );
    this.details = { attempt, ending, ...(session !== undefined && { session }) };
  }
}

export class InputNotTaken extends TerminalError {
  readonly code = 'INPUT_NOT_TAKEN';
  readonly details: { written: number; total: number; reason: string };

  constructor(written: number, total: number, reason: string) {
    super(`Only ${written} of ${total} bytes of input could be written: ${reason}.`);
    this.details = { written, total, reason };
  }
}

export class InputClosed extends TerminalError {
  readonly code = 'INPUT_CLOSED';
  readonly details = {};

  constructor() {
    super('This program was started with its input closed, so nothing can be typed to it.');
  }
}

export class UnknownSignal extends TerminalError {
  readonly code = 'UNKNOWN_SIGNAL';
  readonly details: { signal: string };

  constructor(signal: string) {
    super(`There is no signal "${signal}". Use a name such as SIGINT, SIGTERM or SIGKILL.`);
    this.details = { signal };
  }
}

export class SignalNotPermitted extends TerminalError {
  readonly code = 'SIGNAL_NOT_PERMITTED';
  readonly details: { signal: string; pids: readonly number[] };

  /** Negative pids are process groups. */
  constructor(signal: string, pids: readonly number[]) {
    const names = pids.map((pid) => (pid < 0 ? `process group ${-pid}` : `process ${pid}`));
    super(
      `This user may not send ${signal} to ${names.join(', ')} (of another user). ` +
        'A key such as C-c reaches it through the terminal.',
    );
    this.details = { signal, pids };
  }
}

export class UnknownKey extends TerminalError {
  readonly code = 'UNKNOWN_KEY';
  readonly details: { key: string; nearest?: string };

  constructor(key: string, nearest?: string) {
    super(
      `There is no key ${JSON.stringify(key)}.${nearest ? ` Did you mean "${nearest}"?` : ''} ` +
        'Keys are separated by spaces, as in "C-x Up Enter"; to type characters, use text.',
    );
    this.details = nearest ? { key, nearest } : { key };
  }
}

export class UntypableKey extends TerminalError {
  readonly code = 'UNTYPABLE_KEY';
  readonly details: { key: string; instead: string };

  constructor(key: string, instead: string) {
    super(
      `Terminals have no code for "${key}", so no program can be sent it. ` +
        `The nearest key that has one is "${instead}".`,
    );
    this.details = { key, instead };
  }
}

export class MouseNotAsked extends TerminalError {
  readonly code = 'MOUSE_NOT_ASKED';
  readonly details: { action: string; mouse: string };

  constructor(action: string, mouse: string) {
    super(
      `The program did not ask for ${mouse === 'none' ? 'the mouse' : 'that kind of mouse event'}, ` +
        `so it would read ${action} as typed characters. Use keys.`,
    );
    this.details = { action, mouse };
  }
}

export class MouseOutside extends TerminalError {
  readonly code = 'MOUSE_OUTSIDE';
  readonly details: { action: string; cols: number; rows: number };

  constructor(action: string, cols: number, rows: number) {
    super(
      `${action} is outside of what the mouse can reach: columns 1 to ${cols}, rows 1 to ${rows}.`,
    );
    this.details = { action, cols, rows };
  }
}

export class LineTooLong extends TerminalError {
  readonly code = 'LINE_TOO_LONG';
  readonly details: { bytes: number; limit: number };

  constructor(bytes: number, limit: number) {
    super(
      `A line of ${bytes} bytes was not sent: the program reads lines through the kernel, which drops ` +
        `what is beyond ${limit} bytes. Put the data into a file, or send shorter lines.`,
    );
    this.details = { bytes, limit };
  }
}

export class InvalidPattern extends TerminalError {
  readonly code = 'INVALID_PATTERN';
  readonly details: { pattern: string; reason: string; position?: number };

  constructor(pattern: string, reason: string, position?: number) {
    const where = position === undefined ? '' : ` at character ${position + 1}`;
    super(
      `"${pattern}" is not a regular expression: ${reason}${where}. ` +
        'Put a backslash before a character that stands for itself.',
    );
    this.details = { pattern, reason, ...(position === undefined ? {} : { position }) };
  }
}

/** A correct pattern in the syntax of another language, for which ours has nothing. */
export class PatternNotTranslatable extends TerminalError {
  readonly code = 'PATTERN_NOT_TRANSLATABLE';
  readonly details: { pattern: string; construct: string; reason: string; position: number };

  /** `construct`: as it is written in the pattern. `reason`: what it is. */
  constructor(pattern: string, construct: string, reason: string, position: number) {
    super(
      `"${pattern}" has ${construct} at character ${position + 1}, ${reason}, ` +
        'for which there is nothing here. Write the pattern without it.',
    );
    this.details = { pattern, construct, reason, position };
  }
}

export class PatternTooSlow extends TerminalError {
  readonly code = 'PATTERN_TOO_SLOW';
  readonly details: { pattern: string; limitMs: number; typed?: true };

  /** `typed`: the pattern was waited for after input was typed, which must not be typed again. */
  constructor(pattern: string, limitMs: number, typed = false) {
    super(
      `"${pattern}" was given up after ${limitMs} ms. Repetition inside repetition, as in (a+)+, can ` +
        'take forever: simplify it, or search a smaller part.' +
        (typed ? ' The input has been typed already: do not type it again.' : ''),
    );
    this.details = { pattern, limitMs, ...(typed && { typed }) };
  }
}

export class SessionNotFound extends TerminalError {
  readonly code = 'SESSION_NOT_FOUND';
  readonly details: { session: string; open: readonly string[]; exited?: readonly string[] };

  /** `exited`: sessions whose program has ended. They can still be read and closed. */
  constructor(session: string, open: readonly string[], exited: readonly string[] = []) {
    const ended = exited.length > 0 ? ` Exited ones: ${exited.join(', ')}.` : '';
    super(
      session === '*'
        ? `There is no session${open.length > 0 ? ` of yours. Others: ${open.join(', ')}` : ''}.`
        : `No session "${session}". Open sessions: ${open.join(', ') || 'none'}.${ended}`,
    );
    this.details = { session, open, ...(exited.length > 0 && { exited }) };
  }

  /** Takes the open and the exited names from the list of all sessions. */
  static among(session: string, all: readonly { session: string; state: string }[]) {
    const names = (hasExited: boolean) =>
      all.filter(({ state }) => (state === 'exited') === hasExited).map(({ session }) => session);
    return new SessionNotFound(session, names(false), names(true));
  }
}

export class TooManySessions extends TerminalError {
  readonly code = 'TOO_MANY_SESSIONS';
  readonly details: { limit: number; open: readonly { name: string; idleMs: number }[] };

  constructor(limit: number, open: readonly { name: string; idleMs: number }[]) {
    const list = open
      .map(({ name, idleMs }) => `${name} (${Math.round(idleMs / 1000)} s)`)
      .join(', ');
    const there = limit === 1 ? 'There is 1 session' : `There are ${limit} sessions`;
    super(`${there} already. Close ${limit === 1 ? 'it' : 'one'}; idle for: ${list}.`);
    this.details = { limit, open };
  }
}

export class WaitReplaced extends TerminalError {
  readonly code = 'WAIT_REPLACED';
  readonly details: { session: string };

  constructor(session: string) {
    super(
      `A newer call on session "${session}" has ended this wait. Nothing is lost: that call has the output, and the program runs on.`,
    );
    this.details = { session };
  }
}

export class NameTaken extends TerminalError {
  readonly code = 'NAME_TAKEN';
  readonly details: { name: string };

  constructor(name: string) {
    super(`There is a session "${name}" already. Use it, close it, or choose another name.`);
    this.details = { name };
  }
}

export class UnusableName extends TerminalError {
  readonly code = 'UNUSABLE_NAME';
  readonly details: { name: string };

  constructor(name: string) {
    super(
      `"${name}" cannot name a session: use up to 64 letters, digits, dots, dashes and underscores, ` +
        'the first a letter or digit.',
    );
    this.details = { name };
  }
}

export class EmptySend extends TerminalError {
  readonly code = 'EMPTY_SEND';
  readonly details = {};

  constructor() {
    super('There is nothing to type: give text or keys. To press Enter alone, give keys "Enter".');
  }
}

export class UnknownUntil extends TerminalError {
  readonly code = 'UNKNOWN_UNTIL';
  readonly details: { until: string; known: readonly string[] };

  constructor(until: string, known: readonly string[]) {
    super(`There is no wait until "${until}". Use one of: ${known.join(', ')}.`);
    this.details = { until, known };
  }
}

export class UnknownView extends TerminalError {
  readonly code = 'UNKNOWN_VIEW';
  readonly details: { view: string; known: readonly string[] };

  constructor(view: string, known: readonly string[]) {
    super(`There is no view "${view}". There are: ${known.join(', ')}.`);
    this.details = { view, known };
  }
}

export class UnusableNumber extends TerminalError {
  readonly code = 'UNUSABLE_NUMBER';
  readonly details: { name: string; value: string };

  constructor(name: string, value: unknown, expected: string) {
    super(`${name} must be ${expected}, not ${value}.`);
    this.details = { name, value: String(value) };
  }
}

export class RefusedByGuard extends TerminalError {
  readonly code = 'REFUSED_BY_GUARD';
  readonly details: { act: string; reason: string };

  constructor(act: string, reason: string) {
    super(`This may not be ${act}: ${reason}`);
    this.details = { act, reason };
  }
}

/** The user's policy denies it, or a person has refused it, or nobody has answered. */
export class RefusedByPolicy extends TerminalError {
  readonly code = 'REFUSED_BY_POLICY';
  readonly details: { act: string; rule?: number; why: string; answer?: string };

  constructor(
    act: 'opened' | 'run' | 'typed',
    message: string,
    { rule, why, answer }: { rule?: number | undefined; why: string; answer?: string },
  ) {
    super(`This was not ${act}: ${message}`);
    this.details = {
      act,
      ...(rule !== undefined && { rule }),
      why,
      ...(answer !== undefined && { answer }),
    };
  }
}

export class PolicyBroken extends TerminalError {
  readonly code = 'POLICY_BROKEN';
  readonly details: { path: string; problem: string };

  constructor(path: string, problem: string) {
    super(`The policy ${path} cannot be used: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`);
    this.details = { path, problem };
  }
}

export class PolicyNotEnforced extends TerminalError {
  readonly code = 'POLICY_NOT_ENFORCED';
  readonly details: { path: string };

  constructor(path: string, what: string) {
    super(
      `There is a policy (${path}), and only the daemon enforces it, so ${what} cannot be served. ` +
        'Serve the native tools from the daemon (`repartee mcp`), or let a person remove the policy.',
    );
    this.details = { path };
  }
}

export class KeyboardTaken extends TerminalError {
  readonly code = 'KEYBOARD_TAKEN';
  readonly details: { session: string; actor: string };

  constructor(session: string, actor: string) {
    super(
      `A person (${actor}) has the keyboard of session "${session}", so nothing was typed. ` +
        'Read and wait as usual; type when it has been given back.',
    );
    this.details = { session, actor };
  }
}

export class NotAPerson extends TerminalError {
  readonly code = 'NOT_A_PERSON';
  readonly details: { inside?: string };

  constructor(inside: string | undefined) {
    const place = inside === undefined ? '' : `; it is inside session "${inside}"`;
    super(
      `Only a person can do this, at a terminal of their own, and this is not one${place}. ` +
        'Nothing was done. An agent uses `read`, `send` and `wait`; ask the user to do this in their own terminal.',
    );
    this.details = inside === undefined ? {} : { inside };
  }
}

export class SocketPathTooLong extends TerminalError {
  readonly code = 'SOCKET_PATH_TOO_LONG';
  readonly details: { path: string; limit: number };

  constructor(path: string, limit: number) {
    super(
      `A socket's path may have at most ${limit} bytes, and "${path}" has more. ` +
        'Let REPARTEE_SOCKET name a shorter one, in a folder that is yours alone.',
    );
    this.details = { path, limit };
  }
}

export class UntrustedPlace extends TerminalError {
  readonly code = 'UNTRUSTED_PLACE';
  readonly details: { path: string; reason: string };

  constructor(path: string, reason: string, remedy: string) {
    super(`"${path}" is not used, since ${reason}: somebody else could listen in. ${remedy}.`);
    this.details = { path, reason };
  }
}

export class UnusableFolder extends TerminalError {
  readonly code = 'UNUSABLE_FOLDER';
  readonly details: { path: string; reason: string };

  constructor(path: string, reason: string, remedy: string) {
    super(`The folder "${path}" cannot be used: ${reason}. ${remedy}.`);
    this.details = { path, reason };
  }
}

export class DaemonNotStarted extends TerminalError {
  readonly code = 'DAEMON_NOT_STARTED';
  readonly details: { reason: string; log: string };

  constructor(reason: string, log: string) {
    super(`The daemon could not be started: ${reason}. Its log is ${log}.`);
    this.details = { reason, log };
  }
}

export class DaemonSilent extends TerminalError {
  readonly code = 'DAEMON_SILENT';
  readonly details: { waitedMs: number; log: string; pid?: number };

  constructor(waitedMs: number, log: string, pid?: number) {
    const kill = (signal: string) => `kill -${signal}${pid === undefined ? '' : ` ${pid}`}`;
    super(
      `The daemon is running but has not answered for ${waitedMs / 1000} s: it is stopped or stuck. ` +
        `Resume the process repartee-daemon (${kill('CONT')}), or kill it (${kill('KILL')}), which ` +
        `ends its sessions. Its log is ${log}.`,
    );
    this.details = { waitedMs, log, ...(pid !== undefined && { pid }) };
  }
}

export class DaemonNotRunning extends TerminalError {
  readonly code = 'DAEMON_NOT_RUNNING';
  readonly details: { socket: string };

  constructor(socket: string) {
    super(`No daemon is running at ${socket}. It starts by itself when a session is opened.`);
    this.details = { socket };
  }
}

export class DaemonLost extends TerminalError {
  readonly code = 'DAEMON_LOST';
  readonly details: { log: string };

  constructor(log: string) {
    super(
      'The daemon has ended or closed this connection; the request may have been carried out. ' +
        `List the sessions to see what is left. Its log is ${log}.`,
    );
    this.details = { log };
  }
}

export class SnapshotUnusable extends TerminalError {
  readonly code = 'SNAPSHOT_UNUSABLE';
  readonly details: { field: string; problem: string };

  constructor(field: string, problem: string) {
    const where = field === '' ? 'it' : `its field ${field}`;
    super(`The data is not a session that can go on: ${where} is wrong (${problem}).`);
    this.details = { field, problem };
  }
}

export class AnswerGone extends TerminalError {
  readonly code = 'ANSWER_GONE';
  readonly details: { request: number };

  constructor(request: number) {
    super(
      `The answer to request ${request} is no longer kept. The request has been carried out, or may ` +
        'have been: look at the session before you repeat it; `from` reads its output again.',
    );
    this.details = { request };
  }
}

export class OutcomeUnknown extends TerminalError {
  readonly code = 'OUTCOME_UNKNOWN';
  readonly details: { call: string; session?: string; screen?: string };

  /** `screen`: of the session, as it is now. Undefined if there is no such session. */
  constructor(call: string, session?: string, screen?: string) {
    const where = session === undefined ? '' : ` in session "${session}"`;
    super(
      `The connection was lost during \`${call}\`${where}: it was begun, and it is not known whether ` +
        `it was done. It was not repeated. ${
          screen === undefined
            ? 'List the sessions to see what is there.'
            : `Go by the session's screen:\n${screen}`
        }`,
    );
    this.details = {
      call,
      ...(session !== undefined && { session }),
      ...(screen !== undefined && { screen }),
    };
  }
}

export class RequestIdReused extends TerminalError {
  readonly code = 'REQUEST_ID_REUSED';
  readonly details: { request: number; before: string };

  constructor(request: number, before: string) {
    super(
      `Request ${request} was sent before, as \`${before}\` with other contents. Nothing was done. ` +
        'Give each request an id of its own.',
    );
    this.details = { request, before };
  }
}

export class DaemonEnding extends TerminalError {
  readonly code = 'DAEMON_ENDING';
  readonly details = {};

  constructor() {
    super('The daemon is shutting down. Try again: a new one will be started.');
  }
}

export class RestartRefused extends TerminalError {
  readonly code = 'RESTART_REFUSED';
  readonly details: { reason: string };

  /** For a daemon whose sessions would end with it. */
  static withoutKeeper(version: string): RestartRefused {
    return new RestartRefused(
      `the running daemon (version ${version}) has no keeper, so its sessions would end with it`,
    );
  }

  constructor(reason: string) {
    super(
      `The daemon was not restarted: ${reason}. Nothing was done, and its sessions go on. To end them ` +
        'instead, run `repartee daemon stop`; the next command starts a new daemon.',
    );
    this.details = { reason };
  }
}

export class OtherVersion extends TerminalError {
  readonly code = 'OTHER_VERSION';
  readonly details: {
    running: string;
    asking: string;
    program: string;
    sessions: readonly string[];
  };

  constructor(running: string, asking: string, program: string, sessions: readonly string[]) {
    super(
      `The running daemon has version ${running}, this is version ${asking}. Nothing was done. ` +
        `${sessions.length > 0 ? `It has these sessions: ${sessions.join(', ')}` : 'Others use it'}. ` +
        `To go on with them, use ${program}. To end them and go on with this version, run ` +
        '`repartee daemon stop`.',
    );
    this.details = { running, asking, program, sessions };
  }
}

interface LostSession {
  name: string;
  command: readonly string[];
  recording?: string;
  reason?: string;
  isAside?: boolean;
}

export class SessionLost extends TerminalError {
  readonly code = 'SESSION_LOST';
  readonly details: {
    session: string;
    command: readonly string[];
    recording?: string;
    reason?: string;
  };

  /** `isAside`: its program lives, and keeps its name until it is closed. */
  constructor({ name, command, recording, reason, isAside }: LostSession) {
    const because = reason === undefined ? '' : ` (${reason})`;
    super(
      `The session "${name}" was lost when the daemon was killed or the machine went down${because}. ` +
        `${recording === undefined ? 'It was not recorded.' : `Its recording is ${recording}.`} ` +
        (isAside
          ? 'Its program still runs, but nobody reads what it prints. Close the session to end it, then open it again.'
          : 'Open it again to continue.'),
    );
    this.details = {
      session: name,
      command,
      ...(recording !== undefined && { recording }),
      ...(reason !== undefined && { reason }),
    };
  }
}

export class TooManyClients extends TerminalError {
  readonly code = 'TOO_MANY_CLIENTS';
  readonly details: { limit: number };

  constructor(limit: number) {
    super(`The daemon has ${limit} clients already. End some of them, then try again.`);
    this.details = { limit };
  }
}

export class TooManyRequests extends TerminalError {
  readonly code = 'TOO_MANY_REQUESTS';
  readonly details: { limit: number };

  constructor(limit: number) {
    super(`This client already has ${limit} requests running. Wait until some have ended.`);
    this.details = { limit };
  }
}

export class RequestTooLong extends TerminalError {
  readonly code = 'REQUEST_TOO_LONG';
  readonly details: { bytes: number; limit: number };

  constructor(bytes: number, limit: number) {
    super(
      `The request has ${bytes} bytes, and the daemon takes at most ${limit}. Nothing was done. ` +
        'Send it in pieces, or put the data into a file.',
    );
    this.details = { bytes, limit };
  }
}

export class TooManySubscribers extends TerminalError {
  readonly code = 'TOO_MANY_SUBSCRIBERS';
  readonly details: { limit: number };

  constructor(limit: number) {
    super(
      `This connection to the daemon has ${limit} subscribers already. End one, have one listener ` +
        'serve several, or make another connection.',
    );
    this.details = { limit };
  }
}

export class InvalidArguments extends TerminalError {
  readonly code = 'INVALID_ARGUMENTS';
  readonly details: { tool: string; problems: readonly string[] };

  constructor(tool: string, problems: readonly string[]) {
    super(`${tool} was not called: ${problems.join('; ')}.`);
    this.details = { tool, problems };
  }
}

export class UnknownSecret extends TerminalError {
  readonly code = 'UNKNOWN_SECRET';
  readonly details: { secret: string; known: readonly string[] };

  constructor(secret: string, known: readonly string[]) {
    super(
      `There is no secret "${secret}". There are: ${known.join(', ') || 'none'}. ` +
        'A person can add one (see docs/guide/secrets.md), or attach to the session and type it.',
    );
    this.details = { secret, known };
  }
}

export class UnusableSecret extends TerminalError {
  readonly code = 'UNUSABLE_SECRET';
  readonly details: { secret: string; reason: string };

  constructor(secret: string, reason: string) {
    super(`The secret "${secret}" cannot be used: ${reason}. Its owner has to correct it.`);
    this.details = { secret, reason };
  }
}

export class SecretFileExposed extends TerminalError {
  readonly code = 'SECRET_FILE_EXPOSED';
  readonly details: { path: string; mode: string; owner: number };

  constructor({ path, mode, owner }: { path: string; mode: number; owner: number }) {
    const isOurs = owner === process.getuid?.();
    super(
      isOurs
        ? `The secret in "${path}" was not used: others can read the file. Run: chmod 600 '${path}'`
        : `The secret in "${path}" was not used: the file belongs to user ${owner}. ` +
            `Run: chown ${process.getuid?.()} '${path}' && chmod 600 '${path}'`,
    );
    this.details = { path, mode: mode.toString(8), owner };
  }
}

export class SecretRefused extends TerminalError {
  readonly code = 'SECRET_REFUSED';
  readonly details: { secret: string; reason: string };

  constructor(secret: string, reason: string, remedy: string) {
    super(`The secret "${secret}" was not typed: ${reason}. ${remedy}.`);
    this.details = { secret, reason };
  }
}

export class NotARecording extends TerminalError {
  readonly code = 'NOT_A_RECORDING';
  readonly details: { path: string; reason: string };

  constructor(path: string, reason: string) {
    super(`"${path}" cannot be played: ${reason}. Give an asciicast file of version 2 or 3.`);
    this.details = { path, reason };
  }
}

export class FileNotWritten extends TerminalError {
  readonly code = 'FILE_NOT_WRITTEN';
  readonly details: { path: string; reason: string };

  constructor(path: string, reason: string) {
    super(`"${path}" cannot be written: ${reason}. Choose another file.`);
    this.details = { path, reason };
  }
}

export class PictureTooLarge extends TerminalError {
  readonly code = 'PICTURE_TOO_LARGE';
  readonly details: { cols: number; rows: number };

  constructor(cols: number, rows: number) {
    super(
      `A screen of ${cols}x${rows} is too large for a picture: no model takes one of so many pixels. ` +
        'Resize the session, or read its screen as text.',
    );
    this.details = { cols, rows };
  }
}

export class UnusableTokenFile extends TerminalError {
  readonly code = 'UNUSABLE_TOKEN_FILE';
  readonly details: { path: string; reason: string };

  constructor(path: string, reason: string) {
    super(`The token cannot be taken from "${path}": ${reason}.`);
    this.details = { path, reason };
  }
}

export class UnusableClientConfig extends TerminalError {
  readonly code = 'UNUSABLE_CLIENT_CONFIG';
  readonly details: { path: string; reason: string };

  constructor(path: string, reason: string) {
    super(
      `"${path}" is left as it is: ${reason}. Add the entry by hand; docs/guide/mcp.md shows it for each client.`,
    );
    this.details = { path, reason };
  }
}

export class UnusableAddress extends TerminalError {
  readonly code = 'UNUSABLE_ADDRESS';
  readonly details: { host: string; port: number; reason: string };

  constructor(host: string, port: number, reason: string) {
    super(`Nothing can be served at ${host}, port ${port}: ${reason}.`);
    this.details = { host, port, reason };
  }
}

export class SessionBusy extends TerminalError {
  readonly code = 'SESSION_BUSY';
  readonly details: { session: string; running: string; asks?: string };

  constructor(session: string, running: string, asks?: string) {
    super(
      `Session "${session}" is busy with \`${running}\`, so nothing was run. ` +
        (asks === undefined
          ? 'Wait for it, press C-c to interrupt it, or run without a session.'
          : `It asks for input${asks && ` at ${JSON.stringify(asks)}`}: answer it, press C-c, or run without a session.`),
    );
    this.details = { session, running, ...(asks !== undefined && { asks }) };
  }
}

export class NotAShell extends TerminalError {
  readonly code = 'NOT_A_SHELL';
  readonly details: { session: string; program: string };

  constructor(session: string, program: string) {
    super(
      `Session "${session}" is not at the prompt of a shell but in ${program}, so nothing was run. ` +
        'Type to it, or run without a session.',
    );
    this.details = { session, program };
  }
}

export class LineBegun extends TerminalError {
  readonly code = 'LINE_BEGUN';
  readonly details: { session: string; line: string };

  constructor(session: string, line: string) {
    super(
      `The prompt of session "${session}" already has the line ${JSON.stringify(line)}, typed but not ` +
        'entered, so nothing was run. Press Enter to run that line, or C-c to drop it.',
    );
    this.details = { session, line };
  }
}

export class UnknownProfile extends TerminalError {
  readonly code = 'UNKNOWN_PROFILE';
  readonly details: { profile: string; known: readonly string[] };

  constructor(profile: string, known: readonly string[]) {
    super(`There is no sandbox profile "${profile}". There are: ${known.join(', ')}.`);
    this.details = { profile, known };
  }
}

export class ProfileUnusable extends TerminalError {
  readonly code = 'PROFILE_UNUSABLE';
  readonly details: { profile: string; reason: string };

  constructor(profile: string, reason: string) {
    super(`The sandbox profile "${profile}" cannot be used: ${reason}. Nothing was started.`);
    this.details = { profile, reason };
  }
}

export class WorkspaceRefused extends TerminalError {
  readonly code = 'WORKSPACE_REFUSED';
  readonly details: { workspace: string; reason: string };

  constructor(workspace: string, reason: string) {
    super(
      `${workspace ? `"${workspace}" cannot be the workspace of a sandbox` : 'A sandbox has no workspace'}: ` +
        `${reason}. Whoever starts this server or command names another folder, with --workspace or by starting it there.`,
    );
    this.details = { workspace, reason };
  }
}

export class SandboxUnavailable extends TerminalError {
  readonly code = 'SANDBOX_UNAVAILABLE';
  readonly details: { reason: string; advice: string };

  constructor(reason: string, advice: string) {
    super(
      `This machine cannot hold the sandbox: ${reason}. Nothing was started, since it would run without. ${advice}.`,
    );
    this.details = { reason, advice };
  }
}

export class HiddenInSandbox extends TerminalError {
  readonly code = 'HIDDEN_IN_SANDBOX';
  readonly details: { path: string; profile: string };

  constructor(path: string, profile: string) {
    super(
      `"${path}" is hidden in the sandbox "${profile}", so nothing can be started in it or from it. ` +
        'Use a folder or a program that is visible there; /tmp is private and empty.',
    );
    this.details = { path, profile };
  }
}

export class SandboxLooser extends TerminalError {
  readonly code = 'SANDBOX_LOOSER';
  readonly details: { asked: string; confinedBy: string };

  constructor(asked: string, confinedBy: string) {
    super(
      `You are confined by the sandbox "${confinedBy}", and "${asked}" would allow more. ` +
        'Leave out `sandbox` to get your own, or ask for one that allows less, such as "read-only".',
    );
    this.details = { asked, confinedBy };
  }
}

export class SessionOutOfReach extends TerminalError {
  readonly code = 'SESSION_OUT_OF_REACH';
  readonly details: { session: string; confinedBy: string };

  constructor(session: string, confinedBy: string) {
    super(
      `Session "${session}" may do more than you: you are confined by the sandbox "${confinedBy}", and reach ` +
        'only sessions that are confined at least as much. Open one of your own.',
    );
    this.details = { session, confinedBy };
  }
}

export class NotWhileConfined extends TerminalError {
  readonly code = 'NOT_WHILE_CONFINED';
  readonly details: { act: string; confinedBy: string };

  constructor(act: string, confinedBy: string) {
    super(`You are confined by the sandbox "${confinedBy}", and may not ${act}. A person can.`);
    this.details = { act, confinedBy };
  }
}

export class UnknownHost extends TerminalError {
  readonly code = 'UNKNOWN_HOST';
  readonly details: { host: string; known: readonly string[] };

  constructor(host: string, known: readonly string[]) {
    const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'No hosts are configured.';
    super(
      `There is no host "${host}". ${there} A host is named in hosts.json in the configuration folder, ` +
        'or given in place: ssh://user@machine, docker://container.',
    );
    this.details = { host, known };
  }
}

export class UnusableHost extends TerminalError {
  readonly code = 'UNUSABLE_HOST';
  readonly details: { host: string; reason: string };

  constructor(host: string, reason: string) {
    super(
      `"${host}" is no host: ${reason}. Write ssh://user@machine:22, docker://container, or command: and ` +
        'a command that gives a bridge, such as command:podman exec -i box repartee connect.',
    );
    this.details = { host, reason };
  }
}

/** Why a host cannot be reached. */
export type HostProblem =
  | 'unknown-machine'
  | 'no-answer'
  | 'refused-connection'
  | 'unknown-key'
  | 'refused-login'
  | 'no-container'
  | 'no-repartee'
  | 'no-node'
  | 'wrong-architecture'
  | 'no-room'
  | 'no-bridge'
  | 'failed';

export class HostUnreachable extends TerminalError {
  readonly code = 'HOST_UNREACHABLE';
  readonly details: { host: string; problem: HostProblem; said: string };

  /** `said`: the last words of ssh, or of whatever makes the bridge. */
  constructor(host: string, problem: HostProblem, said: string) {
    const quoted = said === '' ? '' : ` It said: ${said}`;
    super(`Host "${host}" cannot be reached: ${hostProblems[problem]}${quoted}`);
    this.details = { host, problem, said };
  }
}

const hostProblems: Readonly<Record<HostProblem, string>> = {
  'unknown-machine': 'no machine of that name is known here. Check its name in hosts.json.',
  'no-answer': 'it does not answer. Is it running, and is the network there?',
  'refused-connection': 'the machine is there, but nothing listens at that port. Is sshd running?',
  'unknown-key':
    'its key is not the one that is known, or none is known. A person has to look into it: ssh to it once by hand.',
  'refused-login':
    'it does not accept the keys of this user. A person can log in once with a password: `repartee ls --host NAME` in a terminal; that connection is used for the next ten minutes.',
  'no-container': 'there is no such container, or it is not running.',
  'no-repartee':
    'there is no program `repartee` in the PATH of a login there: npm install --global repartee.',
  'no-node': 'Node.js is missing there, or too old: Repartee needs 20.19.',
  'wrong-architecture': 'what is installed there was made for another kind of machine.',
  'no-room': 'its disk is full.',
  'no-bridge':
    'the command ended, or went on for too long, without becoming a bridge: `repartee connect` there is one.',
  failed: 'the connection failed.',
};

export class HostLost extends TerminalError {
  readonly code = 'HOST_LOST';
  readonly details: { host: string; reason: string };

  constructor(host: string, reason: string) {
    super(
      `The connection to host "${host}" was lost: ${reason}. What was asked may have been done there, and ` +
        'its sessions live on: read the session before you ask again.',
    );
    this.details = { host, reason };
  }
}

export class PageNotBuilt extends TerminalError {
  readonly code = 'PAGE_NOT_BUILT';
  readonly details: { path: string };

  constructor(path: string) {
    super(`The viewer's page is missing: "${path}". In a checkout, \`npm run build\` makes it.`);
    this.details = { path };
  }
}

export class ViewOnly extends TerminalError {
  readonly code = 'VIEW_ONLY';
  readonly details: { request: string };

  constructor(request: string) {
    super(`This page's link does not allow it (${request}). Nothing was done.`);
    this.details = { request };
  }
}
