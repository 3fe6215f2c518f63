import type { AuditVerdict } from '../../daemon/protocol/audit-verdict.ts';
import { daemonPaths } from '../../daemon/protocol/daemon-paths.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { printJson, printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withRunningDaemon } from '../with-daemon.ts';

export const auditCommand = defineCommand({
  name: 'audit',
  summary: 'verify the record of what was started, typed and decided',
  words: [{ choices: ['verify'] }],
  options: jsonOption,
  notes: [
    'Exit code 1: it was changed, or that cannot be known, since the key went with its daemon and keeper.',
  ],
  examples: [['repartee audit verify', '']],
  async run({ values, words }) {
    if (words.length !== 1 || words[0] !== 'verify')
      throw new UsageError('Say `repartee audit verify`.');
    const verdict =
      (await withRunningDaemon((sessions) => sessions.verifyAudit())) ?? withoutDaemon();
    if (values.json) printJson(verdict);
    else printText(describeVerdict(verdict));
    return verdict.verdict === 'intact' ? EXIT_DONE : EXIT_FAILED;
  },
});

const withoutDaemon = (): AuditVerdict => ({
  path: daemonPaths().audit,
  verdict: 'unknown',
  proven: 0,
  unproven: 0,
  problem: 'the daemon is not running, and the key of the audit went with it',
  isKept: false,
});

const describeVerdict = ({ path, verdict, proven, unproven, problem }: AuditVerdict): string => {
  const counted = `${proven} lines proven${unproven > 0 ? `, ${unproven} not` : ''}`;
  const words = {
    intact: 'The audit is as it was written',
    broken: 'The audit was changed',
    unknown: 'Whether the audit is authentic is unknown',
  };
  return `${words[verdict]}${problem === undefined ? '' : `: ${problem}`}; ${counted}.\n${path}`;
};
