/** The report, as docs/reference/benchmarks.md. Never edited by hand. */
import { cpus, release, totalmem } from 'node:os';
import { chart } from './chart.ts';
import type { Attempt } from './contest.ts';
import type { Peer } from './peer.ts';
import { reasonFor } from './reasons.ts';
import type { Cell, Row } from './standings.ts';
import type { Task } from './task.ts';

export interface Run {
  table: readonly Row[];
  tasks: readonly Task[];
  peers: readonly Peer[];
  versions: ReadonlyMap<Peer, string | undefined>;
  attempts: readonly Attempt[];
  rounds: number;
  minutes: number;
  /** How busy the machine was before we began. */
  loadBefore: number;
}

/** Of a wrong answer: enough to see what was wrong. */
const SHOWN_CHARS = 400;

export const page = (run: Run): string =>
  [
    '# Benchmarks',
    '',
    'Written by `npm run bench peers`, which compares Repartee with what people use today. Run it yourself; `--all` adds Codex. It writes every answer, unchanged, to `bench/peers/answers.json`.',
    '',
    ...machine(run),
    '',
    ...rules(),
    '',
    ...results(run),
    '',
    '![Time from real readiness to the answer](benchmarks.svg)',
    '',
    ...notFastest(run),
    '## The tasks',
    '',
    ...run.tasks.map(({ title, what }) => `- **${title}.** ${what}`),
    '',
    '## How each is used',
    '',
    '| | version | how |',
    '|---|---|---|',
    ...run.peers.map((peer) => `| ${peer.name} | ${run.versions.get(peer)} | ${peer.how} |`),
    '',
    '## Wrong answers',
    '',
    'What was wrong, and how the answer ended.',
    '',
    ...run.table.flatMap((row) => faults(row, run.attempts)),
  ].join('\n');

export const picture = (run: Run): string => chart(run.table, run.peers);

const machine = ({ rounds, minutes, loadBefore }: Run): string[] => {
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}; ${all.length} × ${all[0]?.model.trim() || process.arch}, ${memory} GB; Linux ${release()}; Node ${process.version}. ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${minutes.toFixed(1)} minutes. ${quiet(loadBefore, all.length)}`,
  ];
};

/** Whoever reads a time must know whether the machine had anything else to do. */
const quiet = (load: number, cores: number): string => {
  const words = `Load average in the minute before: ${load.toFixed(1)} on ${cores} cores`;
  return load > cores / 2
    ? `**${words}: others used this machine, do not trust the times.**`
    : `${words}.`;
};

const rules = (): string[] => [
  'Each tool runs in a separate process and is used at its best, as its own documentation says. One MCP client drives all tools that speak MCP, and small hosts that offer the libraries over MCP; tmux is called as a command. They take turns, task by task, and none is always first. A time begins when the program itself is ready or done, which it writes down, and ends when the caller has the answer. Ours are in ms; those of others are multiples of ours: `2.0×` is twice as long. `†`: the tool had to be told the prompt, or the line, in advance; we never are.',
];

const results = ({ table, peers }: Run): string[] => [
  `| | ${peers.map(({ name }) => name).join(' | ')} |`,
  `|---|${peers.map(() => '---').join('|')}|`,
  ...table.map(({ task, cells }) => `| ${task.title} | ${cells.map(cellText).join(' | ')} |`),
];

const cellText = ({ shown, right }: Cell): string => (right ? shown : `**${shown}**`);

const notFastest = ({ table }: Run): string[] => {
  const rows = table.filter(({ faster }) => faster.length > 0);
  if (rows.length === 0) return [];
  return [
    '## Where we are not the fastest',
    '',
    ...rows.flatMap(({ task, cells, faster }) => {
      const whys = new Map<string, string[]>();
      for (const cell of cells.filter(({ peer }) => faster.includes(peer.name))) {
        const why = reasonFor(task, cell);
        whys.set(why, [...(whys.get(why) ?? []), cell.peer.name]);
      }
      return [...whys].map(([why, names]) => `- ${task.title}: ${names.join(', ')} (${why}).`);
    }),
    '',
  ];
};

const faults = ({ task, cells }: Row, attempts: readonly Attempt[]): string[] => {
  const wrong = cells.filter(({ right }) => !right);
  if (wrong.length === 0) return [];
  return [
    `### ${task.title}`,
    '',
    ...wrong.flatMap(({ peer, note }) => {
      const bad = attempts.find(
        (attempt) => attempt.task === task.id && attempt.peer === peer.name && !attempt.right,
      );
      const last = bad?.exchanged.findLast(({ answered }) => String(answered).trim() !== '');
      const quoted = last === undefined ? [] : ['', '```', clean(String(last.answered)), '```'];
      return [`**${peer.name}**: ${note ?? 'no answer'}`, ...quoted, ''];
    }),
  ];
};

/** As text that a page can hold: no control characters, no fences, no paths of this machine. */
const clean = (text: string): string => {
  const plain = text
    .replaceAll('\r', '')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replace(/\/(tmp|root|home|work)\/[\w./-]*/g, '…')
    .replaceAll('```', "'''")
    .trim();
  return plain.length <= SHOWN_CHARS
    ? plain
    : `${plain.slice(0, SHOWN_CHARS / 2)}\n[…]\n${plain.slice(-SHOWN_CHARS / 2)}`;
};
