import { toJsonSummary } from '../../dialects/native/results.ts';
import { type Caller, describeCaller } from '../../session/caller.ts';
import type { SessionSummary } from '../../session/sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { type TextColors, textColorsFor } from '../output/colors.ts';
import { formatRoughDuration } from '../output/durations.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { formatTable } from '../output/table.ts';
import { printOtherDaemonsThan, withRunningDaemon } from '../with-daemon.ts';

export const lsCommand = defineCommand({
  name: 'ls',
  summary: 'list every session: its state, its program, how long nobody has used it',
  options: {
    long: { description: 'also who opened each, and who typed last' },
    ...jsonOption,
  },
  examples: [
    ['repartee ls', ''],
    ['repartee ls --long', 'with who opened them, and who typed last'],
    ["repartee ls --json | jq -r '.sessions[].session'", 'names alone'],
  ],
  async run({ values }) {
    const listed = await withRunningDaemon(async (sessions) => {
      const summaries = await sessions.list();
      if (!values.json) await printOtherDaemonsThan(sessions);
      return summaries;
    });
    const summaries = listed ?? [];
    const { long } = values;
    if (values.json) printJson({ sessions: summaries.map((each) => entryOnWire(each, long)) });
    else if (summaries.length === 0) printRemark('[no sessions; `repartee open` starts one]');
    else printText(sessionTable(summaries, long, textColorsFor(process.stdout)));
    return 0;
  },
});

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
