import { existsSync } from 'node:fs';
import { toJsonSummary } from '../../dialects/native/results.ts';
import { hostsFile } from '../../hosts/hosts-file.ts';
import { type Caller, describeCaller } from '../../session/caller.ts';
import type { SessionSummary, UnreachableHost } from '../../session/sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { type TextColors, textColorsFor } from '../output/colors.ts';
import { formatRoughDuration } from '../output/durations.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { formatTable } from '../output/table.ts';
import { printOtherDaemonsThan, withHostsOfUser, withRunningDaemon } from '../with-daemon.ts';

interface Listed {
  sessions: SessionSummary[];
  unreachable: UnreachableHost[];
}

export const lsCommand = defineCommand({
  name: 'ls',
  summary: 'list every session: its state, its program, how long nobody has used it',
  options: {
    host: {
      value: 'H',
      description: 'only those of this host; ssh may ask for a password',
    },
    long: { description: 'also who opened each, and who typed last' },
    ...jsonOption,
  },
  examples: [
    ['repartee ls', ''],
    ['repartee ls --long', 'with who opened them, and who typed last'],
    ["repartee ls --json | jq -r '.sessions[].session'", 'names alone'],
  ],
  async run({ values }) {
    const { host } = values;
    const { sessions: summaries, unreachable } =
      host === undefined ? await listEverywhere(values.json) : await listHost(host);
    const { long } = values;
    if (values.json)
      printJson({
        sessions: summaries.map((each) => entryOnWire(each, long)),
        ...(unreachable.length > 0 && { unreachable }),
      });
    else if (summaries.length === 0) printRemark('[no sessions; `repartee open` starts one]');
    else printText(sessionTable(summaries, long, textColorsFor(process.stdout)));
    if (!values.json)
      for (const { host, reason } of unreachable) printRemark(`[${host}: ${reason}]`);
    return 0;
  },
});

const listHost = async (host: string): Promise<Listed> => ({
  sessions: await withHostsOfUser((sessions) => sessions.listOn(host)),
  unreachable: [],
});

/** Of this machine, and of all hosts that can be reached without asking a person. */
const listEverywhere = async (json: boolean): Promise<Listed> => {
  const local = await withRunningDaemon(async (sessions) => {
    const summaries = await sessions.list();
    if (!json) await printOtherDaemonsThan(sessions);
    return summaries;
  });
  const far = existsSync(hostsFile())
    ? await withHostsOfUser((sessions) => sessions.listHosts(), false)
    : { sessions: [], unreachable: [] };
  return { ...far, sessions: [...(local ?? []), ...far.sessions] };
};

const entryOnWire = (summary: SessionSummary, long: boolean) => ({
  ...toJsonSummary(summary),
  age_ms: summary.ageMs,
  pid: summary.pid,
  ...(long && { opened_by: summary.openedBy, input_by: summary.inputBy }),
});

const sessionTable = (
  summaries: readonly SessionSummary[],
  long: boolean,
  paint: TextColors,
): string =>
  formatTable(
    [
      ...['NAME', 'STATE', 'PROGRAM', 'IDLE', 'UNREAD'],
      ...(long ? ['OPENED BY', 'LAST INPUT BY'] : []),
      '',
    ],
    summaries.map((summary) => [
      paint.bold(summary.session),
      coloredState(summary, paint),
      summary.foreground ?? '',
      formatRoughDuration(summary.idleMs),
      summary.unread === 0 ? '' : `${summary.unread} B`,
      ...(long ? [summary.openedBy, summary.inputBy].map(callerText) : []),
      remarks(summary),
    ]),
    paint.dim,
  );

const callerText = (caller: Caller | undefined): string => (caller ? describeCaller(caller) : '');

const coloredState = (summary: SessionSummary, paint: TextColors): string => {
  const text = stateText(summary);
  if (summary.state === 'working') return paint.yellow(text);
  return summary.state === 'waiting' ? paint.green(text) : paint.dim(text);
};

const stateText = ({ state, waitingFor, certainty, exitCode, signal }: SessionSummary): string => {
  if (state === 'exited') return signal ? `ended by ${signal}` : `exited with ${exitCode ?? '?'}`;
  const doubt = certainty === 'certain' ? '' : ` (${certainty})`;
  return state === 'waiting' ? `wants a ${waitingFor}${doubt}` : 'working';
};

const remarks = ({ listening, keyboard, sandbox }: SessionSummary): string =>
  [
    ...(listening ? [`port ${listening.join(', ')}`] : []),
    ...(sandbox ? [`sandbox ${sandbox}`] : []),
    ...(keyboard ? [`${keyboard} has the keyboard`] : []),
  ].join('; ');
