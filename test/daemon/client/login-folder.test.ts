/**
 * An ordinary user with /run/user/UID, as systemd makes it at a login: an agent whose client does not pass
 * XDG_RUNTIME_DIR on, and a person whose shell has it.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { processesWith } from '../../helpers/daemon/processes.ts';
import { RawServer } from '../../helpers/mcp/raw-client.ts';
import { asRoot, openToOthers, outsideSandbox, testWith } from '../../helpers/needs.ts';
import { sharedFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

/** Nobody's number, and of one test at a time. */
let nextUid = 61_000 + (process.pid % 1000) * 4;

class OrdinaryUser {
  readonly uid = nextUid++;
  readonly home = mkdtempSync(join(sharedFolder, 'repartee-home-'));
  readonly loginFolder = `/run/user/${this.uid}`;
  /** Of a client that passes nothing on. */
  readonly bare = {
    PATH: process.env.PATH ?? '',
    HOME: this.home,
    SHELL: '/bin/bash',
    NO_COLOR: '1',
  };
  readonly withOtherState = { ...this.bare, XDG_STATE_HOME: join(this.home, 'elsewhere') };
  readonly atLogin = { ...this.bare, XDG_RUNTIME_DIR: this.loginFolder };

  constructor() {
    chownSync(this.home, this.uid, this.uid);
    onTestFinished(async () => {
      // Again and again: a keeper that is not killed yet starts another daemon.
      await until('all that the user has started is gone', () => {
        const own = processesWith(`HOME=${this.home}`);
        for (const pid of own) killIfThere(pid);
        return own.length === 0;
      });
      for (const folder of [this.home, this.loginFolder, this.temporaryFolder])
        rmSync(folder, { recursive: true, force: true });
    });
  }

  get temporaryFolder(): string {
    return `/tmp/repartee-${this.uid}`;
  }

  logIn(): void {
    mkdirSync(this.loginFolder, { recursive: true, mode: 0o700 });
    chownSync(this.loginFolder, this.uid, this.uid);
  }

  async agent(env: Record<string, string> = this.bare): Promise<RawServer> {
    const { uid } = this;
    const agent = new RawServer({}, [], { uid, gid: uid, cwd: '/', env });
    await agent.initialize();
    return agent;
  }

  repartee(env: NodeJS.ProcessEnv, ...args: string[]): { stdout: string; stderr: string } {
    const { uid } = this;
    const options = { uid, gid: uid, cwd: '/', env, encoding: 'utf8' } as const;
    return spawnSync(process.execPath, [MAIN, ...args], options);
  }
}

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since we looked.
  }
};

const asAnotherUser = (run: typeof test) => outsideSandbox(asRoot(openToOthers(run)));

describe('the folder of a login', { timeout: 60_000 }, () => {
  asAnotherUser(testWith('tmux', 'setpriv'))(
    'is found by an agent that was not told of it: ls, attach and doctor see its session',
    async () => {
      const user = new OrdinaryUser();
      user.logIn();
      const agent = await user.agent();
      await agent.call(1, 'terminal_open', { command: 'cat', name: 'pw' });
      expect(existsSync(`${user.loginFolder}/repartee/daemon.sock`)).toBe(true);
      expect(existsSync(user.temporaryFolder)).toBe(false);

      const listed = user.repartee(user.atLogin, 'ls', '--json');
      expect(JSON.parse(listed.stdout).sessions).toMatchObject([{ session: 'pw' }]);
      const doctor = user.repartee(user.atLogin, 'doctor');
      expect(doctor.stdout).toContain(`${user.loginFolder}/repartee`);
      expect(doctor.stdout + doctor.stderr).not.toContain('another daemon');

      const person = await personInTmux(user.atLogin);
      const asUser = `setpriv --reuid ${user.uid} --regid ${user.uid} --clear-groups`;
      await person.enter(`cd /; ${asUser} ${process.execPath} ${MAIN} attach pw`);
      await person.sees(/^ pw \| cat waiting for a line/);
      await person.enter('by the person');
      const { structuredContent } = await agent.call(2, 'terminal_wait', {
        sessions: ['pw'],
        match: 'by the person',
      });
      expect(structuredContent).toMatchObject({ session: 'pw' });
    },
  );

  asAnotherUser(test)('that comes after the daemon changes nothing: it is used on', async () => {
    const user = new OrdinaryUser();
    const agent = await user.agent();
    await agent.call(1, 'terminal_open', { command: 'cat', name: 'early' });
    user.logIn();
    const listed = user.repartee(user.atLogin, 'ls', '--json');
    expect(JSON.parse(listed.stdout).sessions).toMatchObject([{ session: 'early' }]);
    expect(existsSync(`${user.loginFolder}/repartee/daemon.sock`)).toBe(false);
  });

  asAnotherUser(test)(
    'a daemon is found without it also where the client has another state folder',
    async () => {
      const user = new OrdinaryUser();
      const agent = await user.agent(user.withOtherState);
      await agent.call(1, 'terminal_open', { command: 'cat', name: 'theirs' });
      user.logIn();
      user.repartee(user.atLogin, 'open', '--name', 'ours', '--', 'cat');
      const listed = user.repartee(user.atLogin, 'ls', '--json');
      expect(JSON.parse(listed.stdout).sessions).toMatchObject([
        { session: 'theirs' },
        { session: 'ours' },
      ]);
    },
  );

  asAnotherUser(test)('two daemons are told by ls, read and doctor', async () => {
    const user = new OrdinaryUser();
    const agent = await user.agent(user.withOtherState);
    await agent.call(1, 'terminal_open', { command: 'cat', name: 'theirs' });
    user.logIn();
    // Who names a state folder wants a daemon of their own.
    const apart = { ...user.atLogin, XDG_STATE_HOME: join(user.home, '.local/state') };
    user.repartee(apart, 'open', '--name', 'ours', '--', 'cat');
    const told = /another daemon of yours runs: process \d+, sessions: theirs/g;
    const listed = user.repartee(user.atLogin, 'ls');
    expect(listed.stdout).toMatch(/^ours/m);
    expect(listed.stderr.match(told)).toHaveLength(1);
    expect(user.repartee(user.atLogin, 'read', 'theirs').stderr).toMatch(told);
    const doctor = user.repartee(user.atLogin, 'doctor');
    expect(doctor.stdout + doctor.stderr).toMatch(told);
  });
});
