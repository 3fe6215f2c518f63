/**
 * Secrets: values that are typed and never shown. A source finds them; a session gets a value only when
 * it is typed, and masks it from then on (masked-output.ts).
 */
import { UnknownSecret, UnusableSecret } from '../../errors.ts';
import { MAX_CANONICAL_LINE_BYTES } from '../../keys/line-limit.ts';
import type { secretFields } from '../options/calls.ts';
import type { ValueOf } from '../options/fields.ts';

/**
 * `raw`: may also be typed to a program in raw mode, which may print it. `remote`: may also be typed to
 * a program behind ssh or in a container, which we cannot see.
 */
export type SecretPermission = 'raw' | 'remote';
export const secretPermissions: readonly SecretPermission[] = ['raw', 'remote'];

/** Plain data, so that a caller's process can find it and send it to another process. */
export type Secret = ValueOf<typeof secretFields>;

export interface SecretSource {
  /** Undefined if there is no secret of that name. */
  find(name: string): Secret | undefined | Promise<Secret | undefined>;
  /** The names to offer when this program asks for a secret, on this host if one is named. */
  names(program?: string, host?: string): readonly string[];
}

export const noSecrets: SecretSource = { find: () => undefined, names: () => [] };

/** Combines sources: the first one that has a secret wins. */
export const secretsFrom = (...sources: readonly SecretSource[]): SecretSource => ({
  find: async (name) => {
    for (const source of sources) {
      const found = await source.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  names: (program, host) => [...new Set(sources.flatMap((source) => source.names(program, host)))],
});

/** Those that may be typed on a host: its daemon gets to see them, and could have asked without need. */
export const secretsForHost = (source: SecretSource, host: string): SecretSource => ({
  find: async (name) => {
    const found = await source.find(name);
    if (found === undefined || found.hosts?.includes(host)) return found;
    throw new UnusableSecret(name, `it is not allowed on host ${host} (allow: host ${host})`);
  },
  names: (program) => source.names(program, host),
});

/** Finds a secret by its name, and checks that it can be typed. */
export const resolveSecret = async (
  nameOrSecret: string | Secret,
  source: SecretSource,
): Promise<Secret> => {
  const secret = typeof nameOrSecret === 'string' ? await source.find(nameOrSecret) : nameOrSecret;
  if (secret === undefined) throw new UnknownSecret(String(nameOrSecret), source.names());
  const reason = whyUnusable(secret.value);
  if (reason !== undefined) throw new UnusableSecret(secret.name, reason);
  // On which machines was decided before, and is not that machine's to know.
  const { hosts: _, ...typed } = secret;
  return typed;
};

/** Shorter values occur everywhere: masking them would hide half of the output, and reveal them. */
const MIN_CHARS = 4;

const whyUnusable = (value: string): string | undefined => {
  if ([...value].length < MIN_CHARS) return `it has fewer than ${MIN_CHARS} characters`;
  if (Buffer.byteLength(value) > MAX_CANONICAL_LINE_BYTES)
    return 'it is longer than a line that a terminal takes';
  // The terminal acts on control characters: Enter ends the line, ^U empties it.
  if (/[\x00-\x1f\x7f]/.test(value)) return 'it has a control character or a line end in it';
  return undefined;
};
