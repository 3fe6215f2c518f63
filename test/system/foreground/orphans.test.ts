import { describe, expect, test } from 'vitest';
import type { ObservedTerminal } from '../../../src/system/foreground/kernel-evidence.ts';
import { orphansOf, treeOf } from '../../../src/system/foreground/orphans.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const DEVICE = (136 << 8) | 3;

interface FakeProcess {
  pid: number;
  parent: number;
  session?: number;
  startTime?: number;
  device?: number;
  token?: string;
}

/** A machine that starts as init (1), us (5) and our program, with a token in its environment. */
class FakeMachine {
  readonly proc = new FakeProc();
  readonly #processes = new Map<number, Required<Omit<FakeProcess, 'token'>>>();
  readonly #terminal: ObservedTerminal;
  readonly program: number;

  constructor(program: number) {
    this.program = program;
    this.#terminal = {
      pid: program,
      device: DEVICE,
      session: program,
      foregroundGroup: program,
      lineMode: undefined,
      hasUnreadInput: false,
      hasUnreadOutput: false,
    };
    this.start({ pid: 1, parent: 0, session: 1, startTime: 1 });
    this.start({ pid: 5, parent: 1, session: 5, startTime: 2 });
    this.start({ pid: program, parent: 5, session: program, device: DEVICE, token: 'ours' });
  }

  start({ pid, parent, session = pid, startTime = 100, device = 0, token }: FakeProcess): void {
    this.#processes.set(pid, { pid, parent, session, startTime, device });
    this.proc.files[`/proc/${pid}/environ`] = token ? `A=b\0REPARTEE_SESSION=${token}\0` : 'A=b\0';
    this.proc.files['/proc/sys/kernel/ns_last_pid'] = `${pid}\n`;
    this.#write();
  }

  /** Its children are given to init. */
  end(pid: number): void {
    this.#processes.delete(pid);
    delete this.proc.files[`/proc/${pid}/stat`];
    for (const each of this.#processes.values()) if (each.parent === pid) each.parent = 1;
    this.#write();
  }

  orphans(): number[] {
    const tree = treeOf(this.program, this.proc);
    return orphansOf(this.#terminal, tree, new Set(), this.proc).map(({ pid }) => pid);
  }

  #write(): void {
    const { files } = this.proc;
    const all = [...this.#processes.values()];
    for (const { pid, parent, session, startTime, device } of all) {
      files[`/proc/${pid}/stat`] =
        `${pid} (prog) S ${parent} ${session} ${session} ${device} -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${startTime} 0 0`;
      const children = all.filter((each) => each.parent === pid);
      files[`/proc/${pid}/task/${pid}/children`] = children.map((each) => `${each.pid} `).join('');
    }
  }
}

describe('orphansOf', () => {
  test('a process with the token of the session is one, another is not', () => {
    const machine = new FakeMachine(1007);
    machine.start({ pid: 1020, parent: 1, token: 'other' });
    machine.start({ pid: 1021, parent: 1, token: 'ours' });
    machine.start({ pid: 1022, parent: 1, token: 'ours', startTime: 3 });
    machine.start({ pid: 1023, parent: 1, token: 'ours', device: DEVICE + 1 });
    expect(machine.orphans()).toEqual([1021]);
  });

  test('a grandchild becomes one when its parent ends, though no process was started', () => {
    const machine = new FakeMachine(1107);
    machine.start({ pid: 1120, parent: 1107, token: 'ours' });
    machine.start({ pid: 1121, parent: 1120, token: 'ours' });
    expect(machine.orphans()).toEqual([]);
    machine.end(1120);
    expect(machine.orphans()).toEqual([1121]);
  });

  test('a stranger is looked at once, and a newcomer beside it all the same', () => {
    const machine = new FakeMachine(1207);
    machine.start({ pid: 1220, parent: 1 });
    const asked: string[] = [];
    machine.proc.onQuestion = (path) => asked.push(path);
    expect(machine.orphans()).toEqual([]);
    expect(asked).toContain('/proc/1220/environ');
    asked.length = 0;
    expect(machine.orphans()).toEqual([]);
    expect(asked).not.toContain('/proc/1220/environ');
    expect(asked).not.toContain('/proc/1/task/1/children');
    machine.start({ pid: 1221, parent: 1, token: 'ours' });
    expect(machine.orphans()).toEqual([1221]);
  });
});
