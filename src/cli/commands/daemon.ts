import { connectToDaemon } from '../../daemon/client/connect.ts';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import type { DaemonStatus, SessionEntry } from '../../daemon/protocol/protocol.ts';
import { type Command, jsonOption } from '../command.ts';
import { DONE, FAILED } from '../exit-codes.ts';
import { print, printJson } from '../output/print-result.ts';
import { parseOptions, UsageError } from '../parse-args.ts';
import { daemonStatus, remarkPassedOver, stopDaemon } from '../with-daemon.ts';

export const daemonCommand: Command = {
  name: 'daemon',
  summary: 'start, stop or look at the process that keeps the sessions',
  usage: 'start|stop|status [--json]',
  options: jsonOption,
  notes: [
    'It starts by itself when a session is opened, and ends 10 minutes after the last one and the last client.',
    '`stop` ends its sessions. `status` says whether it runs (exit code 1: it does not).',
  ],
  examples: [
    ['repartee daemon status', 'which sessions there are, and where everything lies'],
    ['repartee daemon stop', 'end all sessions, and the daemon of whatever version'],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [name = '', ...more] = positionals;
    const act = Object.hasOwn(acts, name) ? acts[name as keyof typeof acts] : undefined;
    if (act === undefined || more.length > 0)
      throw new UsageError('Say `repartee daemon start`, `stop` or `status`.');
    return act(values.json);
  },
};

const acts = {
  async start(json: boolean): Promise<number> {
    const connection = await connectToDaemon({ onLost: (lost) => !json && printLost(lost) });
    await connection.close();
    return acts.status(json);
  },

  async stop(json: boolean): Promise<number> {
    const answer = await stopDaemon();
    if (json) printJson({ running: false, ended: answer?.ended ?? [] });
    else if (answer === undefined) print('The daemon was not running.');
    else print(`The daemon has ended, with ${listed('session', answer.ended)}.`);
    return DONE;
  },

  async status(json: boolean): Promise<number> {
    const status = await daemonStatus();
    const { socket, log, recordings } = daemonPaths();
    if (status === undefined) remarkPassedOver();
    if (json) printJson({ running: status !== undefined, ...status, socket, log, recordings });
    else {
      print(status === undefined ? 'The daemon is not running.' : standing(status));
      print(`socket      ${socket}\nlog         ${log}\nrecordings  ${recordings}`);
      printLost(status?.lost ?? []);
    }
    return status === undefined ? FAILED : DONE;
  },
};

const standing = ({ version, pid, startedAt, clients, sessions }: DaemonStatus): string => {
  const names = sessions.map(({ name }) => name);
  return (
    `The daemon runs: version ${version}, process ${pid}, since ${startedAt}, ` +
    `${clients} ${clients === 1 ? 'client' : 'clients'}, ${listed('session', names)}.`
  );
};

const listed = (noun: string, names: readonly string[]): string => {
  if (names.length === 0) return `no ${noun}`;
  return `${names.length} ${noun}${names.length === 1 ? '' : 's'} (${names.join(', ')})`;
};

const printLost = (lost: readonly SessionEntry[]): void => {
  for (const { name, recording } of lost) {
    const left = recording === undefined ? 'not recorded' : `recording: ${recording}`;
    print(`lost with an earlier daemon: ${name} (${left})`);
  }
};
