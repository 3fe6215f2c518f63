/** The option of commands that can start something on another machine. */
import { UsageError } from '../parse-args.ts';

export const hostOption = {
  host: {
    value: 'H',
    description: 'on this machine of hosts.json, or ssh://user@machine, docker://container',
  },
} as const;

/** Who has a sandbox asks for it to be kept, and nobody there knows of it. */
export const refuseSandboxOnHost = (values: {
  host?: string | undefined;
  sandbox?: string | undefined;
}): void => {
  if (values.host !== undefined && values.sandbox !== undefined)
    throw new UsageError('--sandbox confines on this machine, not on a host.');
};
