/**
 * The user's policy: read from its file, and again when the file has changed.
 *
 * A file that cannot be used changes nothing: the last good policy holds, and every result says so. If there
 * was none, nothing is started or typed until a person mends the file or switches the policy off.
 */
import { readFileSync, renameSync, type Stats, statSync } from 'node:fs';
import { PolicyBroken } from '../../../errors.ts';
import { emptyPolicy, type Policy, type RuleText } from '../../../policy/policy.ts';
import { checkPolicy, readPolicy } from '../../../policy/read-policy.ts';
import { writePrivateFile } from '../../../system/files/private-files.ts';
import type { DaemonMemory } from '../keeping/daemon-memory.ts';

const LAST_GOOD = 'policy';
const SWITCHED_OFF = 'policy is off';

export interface PolicyFileOptions {
  /** Called when there is another policy, or the file is broken. */
  onChange(message: string): void;
}

export class PolicyFile {
  readonly path: string;
  readonly #options: PolicyFileOptions;
  /** What a killed daemon left. Absent if there is no keeper. */
  #memory: DaemonMemory | undefined;
  #policy: Policy = emptyPolicy;
  /** The state of the file that was read last. */
  #seen = 'never';
  #problem: PolicyBroken | undefined;
  #hasGood = false;
  #isOff = false;
  #reading: Promise<void> | undefined;

  constructor(path: string, options: PolicyFileOptions) {
    this.path = path;
    this.#options = options;
  }

  /** Must be called once, first. */
  async load(memory: DaemonMemory | undefined): Promise<void> {
    this.#memory = memory;
    this.#isOff = memory?.get(SWITCHED_OFF) === true;
    const text = memory?.get(LAST_GOOD);
    if (typeof text === 'string') {
      this.#policy = await readPolicy(text, this.path);
      this.#hasGood = true;
    }
    await this.#refresh();
  }

  /** A person has switched it off, until the daemon ends. */
  switchOff(): void {
    this.#isOff = true;
    this.#memory?.set(SWITCHED_OFF, true);
    this.#options.onChange('the policy is switched off until the daemon ends');
  }

  /** As it was last read; the file may be newer. */
  get latest(): Policy {
    return this.#isOff ? emptyPolicy : this.#policy;
  }

  /** Whether `current` would wait or throw. */
  get needsAttention(): boolean {
    return !this.#isOff && (this.#isClosed || this.#reading !== undefined || this.#hasChanged());
  }

  /** Throws if there is a file that has never been usable. */
  async current(): Promise<Policy> {
    if (this.#isOff) return emptyPolicy;
    await this.#refresh();
    if (this.#isClosed) throw this.#closedError();
    return this.#policy;
  }

  /** What callers must be told with every result. */
  async notice(): Promise<string | undefined> {
    if (this.#isOff) return undefined;
    if (this.#reading !== undefined || this.#hasChanged()) await this.#refresh();
    if (this.#problem === undefined) return undefined;
    const what = this.#isClosed
      ? 'nothing is started or typed until a person mends it'
      : 'the rules before the last change hold until a person mends it';
    return `${this.#problem.message} So ${what}.`;
  }

  /** Puts rules before the one of this number. Throws if the file is no longer the one that was judged by. */
  addRules(before: number, rules: readonly RuleText[]): void {
    const file = checkPolicy(readFileSync(this.path, 'utf8'), this.path);
    if (this.#hasChanged()) throw new PolicyBroken(this.path, 'it has changed meanwhile');
    const all = file.rules.toSpliced(before - 1, 0, ...rules);
    const unfinished = `${this.path}.new`;
    writePrivateFile(unfinished, `${JSON.stringify({ ...file, rules: all }, undefined, 2)}\n`);
    renameSync(unfinished, this.path);
  }

  get #isClosed(): boolean {
    return this.#problem !== undefined && !this.#hasGood;
  }

  #closedError(): PolicyBroken {
    const { problem } = this.#problem!.details;
    return new PolicyBroken(
      this.path,
      `${problem}; nothing is started or typed until a person mends it (\`repartee policy check\` says what is ` +
        'wrong), or switches it off with `repartee daemon start --no-policy`',
    );
  }

  #hasChanged(): boolean {
    return describeStats(this.path) !== this.#seen;
  }

  async #refresh(): Promise<void> {
    while (this.#reading !== undefined) await this.#reading;
    if (!this.#hasChanged()) return;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    const seen = describeStats(this.path);
    try {
      const text = readTrusted(this.path);
      this.#policy = text === undefined ? emptyPolicy : await readPolicy(text, this.path);
      this.#problem = undefined;
      this.#hasGood = text !== undefined;
      this.#memory?.set(LAST_GOOD, text);
      const count = this.#policy.rules.length;
      if (text !== undefined || this.#seen !== 'never')
        this.#options.onChange(
          text === undefined ? 'there is no policy' : `policy of ${count} rules`,
        );
    } catch (error) {
      if (!(error instanceof PolicyBroken)) throw error;
      this.#problem = error;
      this.#options.onChange(error.message);
    } finally {
      this.#seen = seen;
    }
  }
}

/** Undefined if there is no file. */
const readTrusted = (path: string): string | undefined => {
  try {
    const stats = statSync(path);
    const untrusted = whyUntrusted(stats);
    if (untrusted !== undefined) throw new PolicyBroken(path, untrusted);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof PolicyBroken) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new PolicyBroken(path, message);
  }
};

const whyUntrusted = ({ uid, mode }: Stats): string | undefined => {
  if (uid !== 0 && uid !== process.getuid?.()) return 'it belongs to another user';
  return (mode & 0o022) === 0 ? undefined : 'other users can write it; say chmod 600';
};

const describeStats = (path: string): string => {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'none';
    const { ino, mtimeMs, ctimeMs, size } = stats;
    return `${ino} ${mtimeMs} ${ctimeMs} ${size}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
};
