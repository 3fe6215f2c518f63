/**
 * How much longer an exchange takes with a policy of 100 rules, in turns with none. Both have the gate and the
 * audit of the daemon; the third has neither.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DaemonLog } from '../../src/daemon/server/daemon-log.ts';
import { DaemonPolicy } from '../../src/daemon/server/policy/daemon-policy.ts';
import type { RuleText } from '../../src/policy/policy.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { exchanges, openPartner, python, shell } from '../compare/benches/talk.ts';
import { meanRatio } from '../compare/statistics.ts';
import { type Args, median, numberFlag, type Report } from '../report/report.ts';

const WARM_UP = 300;
const AT_A_TURN = 20;
/** Of a bound that a user would notice. */
const MOST = 1.05;

/** None of them fits, so all are compared: half with every line of the shell, half with every line of python. */
const rules: RuleText[] = Array.from({ length: 100 }, (_, at) =>
  at % 2 === 0
    ? { command: `^forbidden-${at} .*-r`, then: 'deny', why: 'a rule' }
    : {
        act: 'type',
        foreground: 'python*',
        input: `forbidden_${at}\\(`,
        then: 'ask',
        why: 'a rule',
      },
);

const begin = async (folder: string, name: string, policy?: readonly RuleText[]) => {
  const sessions = new LocalSessions();
  if (policy !== undefined) {
    const paths = {
      policy: join(folder, `${name}.json`),
      audit: join(folder, `${name}.jsonl`),
    };
    if (policy.length > 0)
      writeFileSync(paths.policy, JSON.stringify({ rules: policy }), { mode: 0o600 });
    const log = new DaemonLog(join(folder, 'log'));
    await new DaemonPolicy(paths, sessions, log, undefined).load(undefined);
  }
  for (const partner of [python, shell]) {
    await openPartner(sessions, partner);
    await exchanges(sessions, partner, WARM_UP);
  }
  return { name, sessions };
};

export const run = async (args: Args): Promise<Report> => {
  const turns = numberFlag(args, 'turns', 40);
  const folder = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  const arms = [
    await begin(folder, '100 rules', rules),
    await begin(folder, 'no policy', []),
    await begin(folder, 'no gate and no audit'),
  ];
  const rows: Report['rows'] = [];
  const claims: Report['claims'] = [];
  for (const partner of [python, shell]) {
    const medians = arms.map((): number[] => []);
    for (let turn = 0; turn < turns; turn++)
      // Each goes first equally often.
      for (let at = 0; at < arms.length; at++) {
        const index = (at + turn) % arms.length;
        const times = await exchanges(arms[index]!.sessions, partner, AT_A_TURN);
        medians[index]!.push(median(times));
      }
    const [withRules, without, bare] = medians as [number[], number[], number[]];
    const ratio = meanRatio(withRules.map((ms, at) => ms / without[at]!));
    const toBare = meanRatio(withRules.map((ms, at) => ms / bare[at]!));
    for (const [at, { name }] of arms.entries())
      rows.push({ program: partner.name, with: name, 'median ms': median(medians[at]!) });
    claims.push({
      claim: `${partner.name}: with 100 rules ${ratio.mean.toFixed(3)} of none, at most ${ratio.most.toFixed(3)} (95 %), bound ${MOST}; beside no gate and no audit ${toBare.mean.toFixed(3)}, at most ${toBare.most.toFixed(3)}`,
      holds: ratio.most <= MOST,
    });
  }
  for (const { sessions } of arms) await sessions.closeAll({ graceMs: 0 });
  rmSync(folder, { recursive: true });
  return { question: 'How much longer is an exchange with a policy?', rows, claims };
};
