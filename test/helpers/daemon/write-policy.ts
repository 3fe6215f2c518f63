/** Gives a test's own daemon a policy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleText } from '../../../src/policy/policy.ts';
import type { OwnDaemon } from './own-daemon.ts';

export const writePolicy = ({ env }: Pick<OwnDaemon, 'env'>, rules: readonly RuleText[]): void => {
  const folder = join(env.XDG_CONFIG_HOME!, 'repartee');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ rules }), { mode: 0o600 });
};
