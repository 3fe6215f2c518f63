/** The options of commands that can confine what they start. */
import { resolve } from 'node:path';
import type { SandboxOptions } from '../session/confinement.ts';
import { ifDefined } from '../session/options/if-defined.ts';
import { UsageError } from './parse-args.ts';

export const sandboxOptions = {
  sandbox: {
    value: 'PROFILE',
    description: 'confine it: workspace, read-only, offline, or a profile of yours',
  },
  workspace: {
    value: 'D',
    paths: 'folders',
    description: 'with --sandbox: the folder that it may write (default: this one)',
  },
} as const;

interface SandboxValues {
  sandbox?: string | undefined;
  workspace?: string | undefined;
}

export const sandboxOf = ({ sandbox, workspace }: SandboxValues): SandboxOptions => {
  if (workspace !== undefined && sandbox === undefined)
    throw new UsageError('--workspace is the folder of a sandbox: say --sandbox as well.');
  return {
    ...ifDefined('profile', sandbox),
    ...(workspace !== undefined && { workspace: resolve(workspace) }),
  };
};
