import { summaryOnWire } from '../../dialects/native/results.ts';
import type { Summary } from '../../session/sessions.ts';
import { type Command, jsonOption } from '../command.ts';
import { type Paint, paintFor, roughly } from '../output/colors.ts';
import { print, printJson, remark } from '../output/print-result.ts';
import { table } from '../output/table.ts';
import { parse } from '../parse-args.ts';
import { withSessions } from '../with-daemon.ts';

export const command: Command = {
  name: 'ls',
  summary: 'list every session: its state, its program, how long nobody has used it',
  usage: '[--json]',
  options: jsonOption,
  examples: [
    ['repartee ls', ''],
    ["repartee ls --json | jq -r '.sessions[].session'", 'names alone'],
  ],
  async run(args) {
    const { values } = parse({
      args: [...args],
      options: { json: { type: 'boolean', default: false } },
    });
    const summaries = (await withSessions((sessions) => sessions.list())) ?? [];
    if (values.json) printJson({ sessions: summaries.map(onWire) });
    else if (summaries.length === 0) remark('[no sessions; `repartee open` starts one]');
    else print(listed(summaries, paintFor(process.stdout)));
    return 0;
  },
};

const onWire = (summary: Summary) => ({
  ...summaryOnWire(summary),
  age_ms: summary.ageMs,
  pid: summary.pid,
});

const listed = (summaries: readonly Summary[], paint: Paint): string =>
  table(
    ['NAME', 'STATE', 'PROGRAM', 'IDLE', 'UNREAD', ''],
    summaries.map((summary) => [
      paint.bold(summary.session),
      coloured(summary, paint),
      summary.foreground ?? '',
      roughly(summary.idleMs),
      summary.unread === 0 ? '' : `${summary.unread} B`,
      remarks(summary),
    ]),
    paint.dim,
  );

const coloured = (summary: Summary, paint: Paint): string => {
  const words = stateOf(summary);
  if (summary.state === 'working') return paint.yellow(words);
  return summary.state === 'waiting' ? paint.green(words) : paint.dim(words);
};

const stateOf = ({ state, waitingFor, certainty, exitCode, signal }: Summary): string => {
  if (state === 'exited') return signal ? `ended by ${signal}` : `exited with ${exitCode ?? '?'}`;
  const doubt = certainty === 'certain' ? '' : ` (${certainty})`;
  return state === 'waiting' ? `wants a ${waitingFor}${doubt}` : 'working';
};

const remarks = ({ listening, keyboard }: Summary): string =>
  [
    ...(listening ? [`port ${listening.join(', ')}`] : []),
    ...(keyboard ? [`${keyboard} has the keyboard`] : []),
  ].join('; ');
