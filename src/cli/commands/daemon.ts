import { connectDaemon } from '../../daemon/client/daemon-sessions.ts';
import { systemdUnits } from '../../daemon/client/systemd-unit.ts';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import type { DaemonStatus, JournaledSession } from '../../daemon/protocol/protocol.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import { type Caller, describeCaller } from '../../session/caller.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { printJson, printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import {
  canUpgrade,
  daemonStatus,
  printIgnoredRuntimeDir,
  restartDaemon,
  stopDaemon,
} from '../with-daemon.ts';

export const daemonCommand = defineCommand({
  name: 'daemon',
  summary: 'start, stop, restart or look at the process that keeps the sessions',
  words: [{ choices: ['start', 'stop', 'restart', 'status', 'unit'] }],
  options: {
    'no-policy': {
      description: 'with start: switch the policy off until the daemon ends; only a person can',
    },
    ...jsonOption,
  },
  notes: [
    'It starts by itself when a session is opened, and ends 10 minutes after the last one and the last client.',
    '`stop` ends its sessions. `status` says whether it runs (exit code 1: it does not).',
    '`restart` starts it anew in the same process, as this version if that is newer. Its sessions go on.',
    '`unit` prints units with which systemd starts it, and installs nothing.',
  ],
  examples: [
    ['repartee daemon status', 'which sessions there are, and where everything lies'],
    ['repartee daemon restart', 'after an update: the sessions go on in the new version'],
    ['repartee daemon stop', 'end all sessions, and the daemon of whatever version'],
  ],
  async run({ values, words: [name = '', ...more] }) {
    const action = Object.hasOwn(actions, name) ? actions[name as keyof typeof actions] : undefined;
    if (action === undefined || more.length > 0)
      throw new UsageError('Say `repartee daemon start`, `stop`, `restart`, `status` or `unit`.');
    if (values['no-policy'] && name !== 'start')
      throw new UsageError('--no-policy is for `repartee daemon start`.');
    return action(values.json, values['no-policy']);
  },
});

const actions = {
  async start(json: boolean, noPolicy = false): Promise<number> {
    const sessions = await connectDaemon({
      caller: { door: 'cli' },
      onLost: (lost) => !json && printLost(lost),
    });
    try {
      if (noPolicy) await sessions.switchPolicyOff();
    } finally {
      await sessions[Symbol.asyncDispose]();
    }
    return actions.status(json);
  },

  async stop(json: boolean): Promise<number> {
    const stopped = await stopDaemon();
    if (json) printJson({ running: false, ended: stopped?.ended ?? [] });
    else if (stopped === undefined) printText('The daemon was not running.');
    else printText(`The daemon has ended, with ${countAndNames(stopped.ended)}.`);
    return EXIT_DONE;
  },

  async restart(json: boolean): Promise<number> {
    const restarted = await restartDaemon();
    if (restarted === undefined) {
      if (json) printJson({ running: false });
      else printText('The daemon is not running.');
      return EXIT_FAILED;
    }
    const { before, after } = restarted;
    // Each is told once, and the first answer may have told it.
    const lost = [...before.lost, ...after.lost];
    if (json) printJson({ running: true, restarted: true, before: before.version, ...after, lost });
    else {
      const names = after.sessions.map(({ name }) => name);
      const from = before.version === after.version ? '' : ` (it was ${before.version})`;
      printText(
        `The daemon has restarted as version ${after.version}${from}, process ${after.pid}, ` +
          `with ${countAndNames(names)}.`,
      );
      printLost(lost);
    }
    return EXIT_DONE;
  },

  async status(json: boolean): Promise<number> {
    const status = await daemonStatus();
    const { socket, log, recordings } = daemonPaths();
    if (status === undefined) printIgnoredRuntimeDir();
    const upgrade = status && canUpgrade(status) ? { restartBrings: PACKAGE_VERSION } : {};
    if (json)
      printJson({ running: status !== undefined, ...status, ...upgrade, socket, log, recordings });
    else {
      printText(status === undefined ? 'The daemon is not running.' : describeStatus(status));
      if (status && canUpgrade(status))
        printText(
          `This is version ${PACKAGE_VERSION}: \`repartee daemon restart\` brings it, and the sessions go on.`,
        );
      for (const caller of status?.callers ?? [])
        printText(`client      ${describeClient(caller)}`);
      printText(`socket      ${socket}\nlog         ${log}\nrecordings  ${recordings}`);
      printLost(status?.lost ?? []);
    }
    return status === undefined ? EXIT_FAILED : EXIT_DONE;
  },

  async unit(json: boolean): Promise<number> {
    const units = systemdUnits(daemonPaths());
    if (json) printJson({ units });
    else printText(units.map(({ name, text }) => `# ${UNIT_FOLDER}/${name}\n${text}`).join('\n'));
    return EXIT_DONE;
  },
};

const UNIT_FOLDER = '~/.config/systemd/user';

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
