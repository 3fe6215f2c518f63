/**
 * Secrets: values that are typed and never shown. Where they come from is a source's to know; a
 * session is given a value when it is typed, and hides it from then on (masked-output.ts).
 */
import { UnknownSecret, UnusableSecret } from '../../errors.ts';
import { CANONICAL_LINE_BYTES } from '../../keys/line-limit.ts';

/**
 * `raw`: may also be typed to a program that reads it in raw mode, and must not be trusted to hide
 * it. `remote`: may also be typed to what is behind ssh or in a container, which cannot be seen.
 */
export type SecretPermission = 'raw' | 'remote';
export const secretPermissions: readonly SecretPermission[] = ['raw', 'remote'];

/** Plain data, so that a door can find it where it was asked, and hand it to another process. */
export interface Secret {
  name: string;
  value: string;
  allow?: readonly SecretPermission[];
  /** Only these may be given it. @default all */
  programs?: readonly string[];
}

export interface SecretSource {
  /** Undefined where there is none of that name. */
  find(name: string): Secret | undefined | Promise<Secret | undefined>;
  /** The names to offer where this program asks for a secret. */
  names(program?: string): readonly string[];
}

export const noSecrets: SecretSource = { find: () => undefined, names: () => [] };

/** The first source that has it. */
export const secretsFrom = (...sources: readonly SecretSource[]): SecretSource => ({
  find: async (name) => {
    for (const source of sources) {
      const found = await source.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  names: (program) => [...new Set(sources.flatMap((source) => source.names(program)))],
});

/** The secret that is meant, fit to be typed. */
export const resolveSecret = async (
  wanted: string | Secret,
  source: SecretSource,
): Promise<Secret> => {
  const secret = typeof wanted === 'string' ? await source.find(wanted) : wanted;
  if (secret === undefined) throw new UnknownSecret(String(wanted), source.names());
  const reason = unfit(secret.value);
  if (reason !== undefined) throw new UnusableSecret(secret.name, reason);
  return secret;
};

/** Shorter values occur everywhere: to mask them would hide half of the output and tell them. */
const SHORTEST = 4;

const unfit = (value: string): string | undefined => {
  if ([...value].length < SHORTEST) return `it has fewer than ${SHORTEST} characters`;
  if (Buffer.byteLength(value) > CANONICAL_LINE_BYTES)
    return 'it is longer than a line that a terminal takes';
  // A terminal acts on them: Enter ends the line, ^U empties it.
  if (/[\x00-\x1f\x7f]/.test(value)) return 'it has a control character or a line end in it';
  return undefined;
};
