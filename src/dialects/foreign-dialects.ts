/** The four dialects from other projects, by name, each with the skill that teaches it. */

import { codex } from './codex/dialect.ts';
import { codexSkill } from './codex/skill.ts';
import type { DialectName } from './dialect-names.ts';
import { hive } from './hive/dialect.ts';
import { hiveSkill } from './hive/skill.ts';
import type { DialectOptions } from './shared/dialect-options.ts';
import type { Dialect } from './tool.ts';
import { tricode } from './tricode/dialect.ts';
import { tricodeSkill } from './tricode/skill.ts';
import { unified } from './unified/dialect.ts';
import { unifiedSkill } from './unified/skill.ts';

interface Entry {
  /** Teaches a model that does not know these tools yet. */
  skill: string;
  open(options: DialectOptions): Dialect;
}

export const foreignDialects = {
  codex: { skill: codexSkill, open: codex },
  hive: { skill: hiveSkill, open: hive },
  unified: { skill: unifiedSkill, open: unified },
  tricode: { skill: tricodeSkill, open: tricode },
} as const satisfies Record<DialectName, Entry>;

/** Opens a dialect for any agent's loop. Its sessions live in this process until it is closed. */
export const dialect = <Name extends DialectName>(
  name: Name,
  options: Parameters<(typeof foreignDialects)[Name]['open']>[0] = {},
): Dialect => (foreignDialects[name].open as (options: object) => Dialect)(options);
