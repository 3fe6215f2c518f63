import type {
  NamedDevice,
  ProcAnswer,
  ProcMissingReason,
  ProcReader,
} from '../../src/system/proc/proc.ts';
import { parseProcessStat } from '../../src/system/proc/process-stat.ts';

/** /proc as a test describes it: by path, text for files and links, numbers for devices. */
export class FakeProc implements ProcReader {
  readonly files: Record<string, string> = {};
  readonly links: Record<string, string> = {};
  readonly devices: Record<string, number> = {};
  readonly fileSystems: Record<string, number> = {};
  readonly memories: Record<string, Buffer> = {};
  readonly denied = new Set<string>();
  /** Groups of which all are another user's, and hidden. */
  readonly hiddenGroups = new Set<number>();
  /** Called before every answer: the moment in which the world may move. */
  onQuestion: (path: string) => void = () => {};

  read(path: string): ProcAnswer<string> {
    return this.#answer(path, this.files[path]);
  }

  readKept(path: string): ProcAnswer<string> {
    return this.read(path);
  }

  list(path: string): ProcAnswer<string[]> {
    const below = [
      ...Object.keys(this.files),
      ...Object.keys(this.links),
      ...Object.keys(this.devices),
    ]
      .filter((file) => file.startsWith(`${path}/`))
      .map((file) => file.slice(path.length + 1).split('/')[0]!);
    return this.#answer(path, below.length > 0 ? [...new Set(below)] : undefined);
  }

  link(path: string): ProcAnswer<string> {
    return this.#answer(path, this.links[path]);
  }

  device(path: string): ProcAnswer<NamedDevice> {
    const number = this.devices[path];
    const fileSystem = this.fileSystems[path] ?? 0;
    return this.#answer(path, number === undefined ? undefined : { number, fileSystem });
  }

  group(group: number): ProcAnswer<true> {
    const isMember = ([path, text]: [string, string]) =>
      /^\/proc\/\d+\/stat$/.test(path) && parseProcessStat(text).processGroup === group;
    if (Object.entries(this.files).some(isMember)) return { value: true };
    return { missing: this.hiddenGroups.has(group) ? 'denied' : 'gone' };
  }

  memory(pid: number, address: bigint, bytes: number): ProcAnswer<Buffer> {
    const path = `/proc/${pid}/mem`;
    return this.#answer(path, this.memories[`${pid} ${address}`]?.subarray(0, bytes));
  }

  #answer<T>(path: string, value: T | undefined): ProcAnswer<T> {
    this.onQuestion(path);
    const missing = (why: ProcMissingReason) => ({ missing: why });
    if (this.denied.has(path)) return missing('denied');
    return value === undefined ? missing('gone') : { value };
  }
}
