import { connectDaemon } from '../../daemon/client/daemon-sessions.ts';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import type { DaemonStatus, JournaledSession } from '../../daemon/protocol/protocol.ts';
import { type Caller, describeCaller } from '../../session/caller.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { printJson, printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { daemonStatus, printIgnoredRuntimeDir, stopDaemon } from '../with-daemon.ts';

export const daemonCommand = defineCommand({
  name: 'daemon',
  summary: 'start, stop or look at the process that keeps the sessions',
  words: [{ choices: ['start', 'stop', 'status'] }],
  options: jsonOption,
  notes: [
    'It starts by itself when a session is opened, and ends 10 minutes after the last one and the last client.',
    '`stop` ends its sessions. `status` says whether it runs (exit code 1: it does not).',
  ],
  examples: [
    ['repartee daemon status', 'which sessions there are, and where everything lies'],
    ['repartee daemon stop', 'end all sessions, and the daemon of whatever version'],
  ],
  async run({ values, words: [name = '', ...more] }) {
    const action = Object.hasOwn(actions, name) ? actions[name as keyof typeof actions] : undefined;
    if (action === undefined || more.length > 0)
      throw new UsageError('Say `repartee daemon start`, `stop` or `status`.');
    return action(values.json);
  },
});

const actions = {
  async start(json: boolean): Promise<number> {
    const sessions = await connectDaemon({
      caller: { door: 'cli' },
      onLost: (lost) => !json && printLost(lost),
    });
    await sessions[Symbol.asyncDispose]();
    return actions.status(json);
  },

  async stop(json: boolean): Promise<number> {
    const stopped = await stopDaemon();
    if (json) printJson({ running: false, ended: stopped?.ended ?? [] });
    else if (stopped === undefined) printText('The daemon was not running.');
    else printText(`The daemon has ended, with ${countAndNames(stopped.ended)}.`);
    return EXIT_DONE;
  },

  async status(json: boolean): Promise<number> {
    const status = await daemonStatus();
    const { socket, log, recordings } = daemonPaths();
    if (status === undefined) printIgnoredRuntimeDir();
    if (json) printJson({ running: status !== undefined, ...status, socket, log, recordings });
    else {
      printText(status === undefined ? 'The daemon is not running.' : describeStatus(status));
      for (const caller of status?.callers ?? [])
        printText(`client      ${describeClient(caller)}`);
      printText(`socket      ${socket}\nlog         ${log}\nrecordings  ${recordings}`);
      printLost(status?.lost ?? []);
    }
    return status === undefined ? EXIT_FAILED : EXIT_DONE;
  },
};

const describeStatus = ({ version, pid, startedAt, clients, sessions }: DaemonStatus): string => {
  const names = sessions.map(({ name }) => name);
  return (
    `The daemon runs: version ${version}, process ${pid}, since ${startedAt}, ` +
    `${clients} ${clients === 1 ? 'client' : 'clients'}, ${countAndNames(names)}.`
  );
};

const describeClient = (caller: Caller): string =>
  `${describeCaller(caller)}, ${caller.kind}${caller.pid === undefined ? '' : `, process ${caller.pid}`}`;

const countAndNames = (sessions: readonly string[]): string => {
  if (sessions.length === 0) return 'no session';
  return `${sessions.length} session${sessions.length === 1 ? '' : 's'} (${sessions.join(', ')})`;
};

const printLost = (lost: readonly JournaledSession[]): void => {
  for (const { name, recording, reason } of lost) {
    const remains = recording === undefined ? 'not recorded' : `recording: ${recording}`;
    const because = reason === undefined ? '' : `; ${reason}`;
    printText(`lost with an earlier daemon: ${name} (${remains}${because})`);
  }
};
