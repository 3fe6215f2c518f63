/** The viewer in a real browser, one page after another. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { OpenOptions } from '../../src/session/options/options.ts';
import type { OwnDaemon } from '../helpers/daemon/own-daemon.ts';
import { testWith } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';
import {
  openBrowser,
  openPage,
  type TestPage,
  type TestPageOptions,
} from '../helpers/viewer/browser.ts';
import {
  type DaemonWithViewer,
  daemonWithViewer,
  type OwnViewer,
} from '../helpers/viewer/own-viewer.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

const writePolicy = ({ paths }: OwnDaemon, policy: string): void => {
  mkdirSync(join(paths.policy, '..'), { recursive: true });
  writeFileSync(paths.policy, policy, { mode: 0o600 });
};

const browserTest = testWith('chromium', 'script', 'bash');

describe('the viewer', () => {
  let world: DaemonWithViewer;
  let viewer: OwnViewer;
  let browser: Browser;
  beforeAll(async () => {
    world = await daemonWithViewer();
    [viewer, browser] = await Promise.all([world.view(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.end();
  });

  const bash = ['bash', '--norc', '--noprofile'];
  const opened = async (name: string, options: OpenOptions = { command: bash }) => {
    // A flood is never ready.
    await world.agent.open({ name, cwd: world.daemon.folder, timeoutMs: 2000, ...options });
    const end = async () => {
      const isOpen = (await world.agent.list()).some(({ session }) => session === name);
      if (isOpen) await world.agent.close(name, { force: true });
    };
    return { [Symbol.asyncDispose]: end };
  };
  const shown = async (url = viewer.url, options?: TestPageOptions) => {
    const page = await openPage(browser, url, options);
    return { ...page, [Symbol.asyncDispose]: () => endPage(page) };
  };
  const endPage = async ({ troubles, close }: TestPage) => {
    await close();
    expect(troubles).toEqual([]);
  };
  const atSession = (name: string, options?: TestPageOptions) =>
    shown(`${viewer.url}&session=${name}`, options);
  const card = ({ page }: TestPage, name: string) =>
    page.locator('.card', { has: page.locator(`strong:text-is("${name}")`) });

  browserTest('shows all sessions, those that want a person first, without a reload', async () => {
    await using view = await shown();
    await view.shows('No sessions');
    expect(new URL(view.page.url()).hash).toBe('');
    await using _shell = await opened('shell');
    await card(view, 'shell').getByText('at its prompt').waitFor();
    await using _ask = await opened('ask', { command: ['bash', '-c', 'read -p "Really? [y/n] "'] });
    await view.page.locator('.wanting .card', { hasText: 'Really? [y/n]' }).waitFor();
    await view.shows('agent (mcp)');
    await view.shows(world.daemon.folder);
    await world.agent.close('ask');
    await card(view, 'ask').waitFor({ state: 'detached' });
  });

  browserTest('gives a person the keyboard while an agent types, and takes it back', async () => {
    await using _shell = await opened('typed');
    await using view = await atSession('typed');
    const { page } = view;
    await page.getByRole('button', { name: 'Take the keyboard' }).click();
    await view.shows('You have the keyboard');
    await expect(world.agent.send('typed', { text: 'echo mine' })).rejects.toMatchObject({
      code: 'KEYBOARD_TAKEN',
    });
    await page.keyboard.type('echo from-a-$((40+2))');
    await page.keyboard.press('Enter');
    await view.terminalShows('from-a-42');
    await page.getByRole('button', { name: 'Give the keyboard back' }).click();
    await page.getByRole('button', { name: 'Take the keyboard' }).waitFor();
    const { output } = await world.agent.send('typed', { text: 'echo mine' });
    expect(output).toContain('mine');
    await view.shows(/in the browser typed/);
  });

  browserTest('types a secret that is then nowhere', async () => {
    const secret = 'correct-horse-7781';
    const script = 'read -sp "Password: " x; echo; echo "$x" | md5sum; echo "$x"; sleep 60';
    await using _login = await opened('login', { command: ['bash', '-c', script] });
    await using view = await atSession('login');
    await view.page.getByLabel('Secret for login').fill(secret);
    await view.page.getByRole('button', { name: 'Type it' }).click();
    await until('it was typed', async () => /[\da-f]{32}/.test(await view.terminal()));
    expect(await view.page.content()).not.toContain(secret);
    expect(await view.terminal()).not.toContain(secret);
    const { recording } = (await world.agent.list()).find(({ session }) => session === 'login')!;
    for (const file of [recording!, world.daemon.paths.audit, world.daemon.paths.log])
      expect(readFileSync(file, 'utf8')).not.toContain(secret);
  });

  browserTest('tells who did what when, and leads to the screen at that moment', async () => {
    // Its marks tell where commands begin and end.
    await using _shell = await opened('past', { shell: '/bin/bash', clean: true });
    await world.agent.run('echo first-$((1+1))', { session: 'past' });
    await using view = await atSession('past');
    await world.agent.run('false; cd /; (exit 7)', { session: 'past' });
    const timeline = view.page.getByRole('complementary', { name: 'Timeline' });
    await timeline.getByText('echo first-').first().waitFor();
    await timeline.locator('.entry.failed', { hasText: 'exit 7' }).waitFor();
    await timeline.locator('.entry', { hasText: 'agent typed' }).first().waitFor();
    // The oldest is the last, and comes from before the page was there.
    await timeline.locator('.entry', { hasText: 'exit 0' }).getByRole('link').last().click();
    await view.terminalShows('first-2');
    expect(await view.terminal()).not.toContain('exit 7');
    await view.page.getByRole('button', { name: 'Next command' }).click();
    await view.terminalShows('(exit 7)');
    const [saved] = await Promise.all([
      view.page.waitForEvent('download'),
      view.page.getByRole('button', { name: 'Save as asciicast' }).click(),
    ]);
    const cast = readFileSync(await saved.path(), 'utf8');
    expect(JSON.parse(cast.split('\n')[0]!)).toMatchObject({ version: 3, title: 'past' });
    await view.page.getByRole('link', { name: 'Recordings', exact: true }).click();
    await view.page.getByRole('searchbox').fill('first-2');
    await view.shows('1 recordings');
    await view.page.getByRole('searchbox').fill('never-was-there');
    await view.shows('No recording shows');
  });

  browserTest('answers approvals with one key', async () => {
    const rule = '{"command": "^touch ", "then": "ask", "why": "It writes."}';
    writePolicy(world.daemon, `{"rules": [${rule}]}`);
    await using view = await shown();
    const file = join(world.daemon.folder, 'asked');
    const asked = world.agent.run(`touch ${file}`);
    await view.page.getByRole('article', { name: /agent.* asks to run/ }).waitFor();
    await view.shows('It writes.');
    await view.page.keyboard.press('o');
    expect(await asked).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(true);
    const refused = expect(world.agent.run(`touch ${file}-2`)).rejects.toMatchObject({
      code: 'REFUSED_BY_POLICY',
    });
    // The first question may still be shown: a key would be for that one.
    const questions = view.page.getByRole('article');
    await questions.filter({ hasText: `${file}-2` }).waitFor();
    await expect.poll(() => questions.count()).toBe(1);
    await view.page.keyboard.press('n');
    await refused;
    const audit = readFileSync(world.daemon.paths.audit, 'utf8');
    expect(audit).toMatch(/"by":"\w+ \(viewer\)"/);
    writePolicy(world.daemon, '{"rules": []}');
  });

  browserTest('is shown to who may only look without anything to press', async () => {
    await using _shell = await opened('looked');
    await using view = await shown(`${viewer.readOnlyUrl}&session=looked`);
    await view.shows('view only');
    await view.shows('This link is one to look only.');
    for (const name of [/keyboard/, 'Fit', 'Close'])
      expect(await view.page.getByRole('button', { name }).count()).toBe(0);
    await view.page.keyboard.press('Control+Shift+K');
    await world.agent.send('looked', { text: 'echo still-$((3+4))' });
    await view.terminalShows('still-7');
  });

  browserTest('lets two browsers see one session, and one of them type', async () => {
    await using _shell = await opened('both');
    await using one = await atSession('both');
    await using other = await atSession('both', { width: 390, colorScheme: 'dark' });
    await one.page.getByRole('button', { name: 'Take the keyboard' }).click();
    await one.shows('You have the keyboard');
    await other.shows(/in the browser.* has the keyboard/);
    await one.page.keyboard.type('echo seen-by-$((1+1))\n');
    await one.terminalShows('seen-by-2');
    await other.terminalShows('seen-by-2');
    await other.page.getByRole('button', { name: 'Take the keyboard' }).click();
    await one.close();
    await other.page.getByRole('button', { name: 'Take the keyboard' }).waitFor();
  });

  browserTest('fits a session to its page, and gives it its size back', async () => {
    await using _shell = await opened('sized');
    const sizeNow = async () => (await world.agent.read('sized', { view: 'screen' })).screen!;
    const { cols: before } = await sizeNow();
    await using view = await atSession('sized', { width: 700, height: 500 });
    await view.page.getByRole('button', { name: 'Fit' }).click();
    await until('it has another size', async () => (await sizeNow()).cols !== before);
    await view.page.getByRole('button', { name: 'Fit' }).click();
    await until('it has its own size', async () => (await sizeNow()).cols === before);
    await view.page.getByLabel(/New size/).fill('20x5');
    await view.page.getByLabel(/New size/).press('Enter');
    await until('it is small', async () => (await sizeNow()).cols === 20);
    await world.agent.send('sized', { text: 'echo small' });
    await view.terminalShows('small');
  });

  browserTest('shows what programs print as text, and follows links of the web alone', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const title = `\\e]2;${evil}${'long '.repeat(5000)}\\e\\\\`;
    const link = (uri: string, text: string) => `\\e]8;;${uri}\\e\\\\${text}\\e]8;;\\e\\\\`;
    const links = [
      link('javascript:alert(1)', 'script-link'),
      link('file:///etc/passwd', 'file-link'),
    ];
    const script = `printf '${title}${links.join(' ')} ${evil}\\n'; read -p '${evil}?' x`;
    await using _evil = await opened('evil', { command: ['bash', '-c', script] });
    await using view = await shown();
    await card(view, 'evil').getByText(`${evil}?`).waitFor();
    await card(view, 'evil').getByRole('link').click();
    await view.terminalShows('script-link');
    expect(await view.page.locator('img').count()).toBe(0);
    const before = view.page.context().pages().length;
    const screen = (await view.page.locator('.xterm-screen').boundingBox())!;
    for (const x of [20, 120]) await view.page.mouse.click(screen.x + x, screen.y + 8);
    expect(view.page.context().pages()).toHaveLength(before);
    expect(new URL(view.page.url()).origin).toBe(viewer.origin);
  });

  browserTest('keeps up with a flood, or says that it does not', async () => {
    const flood = 'yes "$(seq -s " " 200)" & sleep 3; kill $!; wait; echo; echo the-end';
    await using _flood = await opened('flood', { command: ['bash', '-c', `${flood}; sleep 60`] });
    await using view = await atSession('flood');
    await view.terminalShows('the-end');
    await view.page.getByRole('link', { name: 'All sessions' }).click();
    await card(view, 'flood').waitFor();
  });

  browserTest('says that a session was closed, and goes on when its daemon is killed', async () => {
    await using _kept = await opened('kept');
    await using view = await atSession('kept');
    await world.agent.send('kept', { text: 'echo before-$((4+4))' });
    await view.terminalShows('before-8');
    process.kill(await world.daemon.pid(), 'SIGKILL');
    await world.agent.send('kept', { text: 'echo after-$((4+5))' });
    await view.terminalShows('after-9');
    await view.page.getByRole('button', { name: 'Take the keyboard' }).click();
    await view.shows('You have the keyboard');
    await world.agent.close('kept', { force: true });
    await view.shows('This session is closed.');
    expect(await view.terminal()).toContain('after-9');
  });

  browserTest('says what is the matter with a link', async () => {
    await using none = await shown(viewer.origin);
    await none.shows('This page needs its link');
    await using stale = await shown(`${viewer.origin}/#token=${'x'.repeat(43)}`);
    await stale.shows('This link opens nothing');
    const other = await world.view('--read-only');
    expect(other.url).toBe(other.readOnlyUrl);
    await using view = await shown(other.url);
    await view.shows('view only');
    await view.page.reload();
    await view.shows('view only');
    await other.end();
    await view.shows('The viewer has ended or cannot be reached.');
  });

  const hasNoViolations = async ({ page }: TestPage) => {
    // Not as an element: the page's policy refuses foreign scripts.
    await page.evaluate(axeSource);
    const violations = await page.evaluate(async () => {
      const { violations: found } = await Reflect.get(globalThis, 'axe').run();
      return found.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
        id,
        nodes.map(({ html }) => html),
      ]);
    });
    expect(violations).toEqual([]);
  };

  browserTest(
    'can be used by the keyboard alone, and has no violations that axe knows',
    async () => {
      await using _shell = await opened('access');
      await using _secret = await opened('asks', {
        command: ['bash', '-c', 'read -sp "Password: " x'],
      });
      for (const colorScheme of ['light', 'dark'] as const) {
        await using view = await shown(viewer.url, { colorScheme });
        const { page } = view;
        await card(view, 'access').waitFor();
        await hasNoViolations(view);
        await page.getByRole('link', { name: /^access/ }).focus();
        await page.keyboard.press('Enter');
        await view.terminalShows('bash-');
        await page.keyboard.press('Control+Shift+K');
        await view.shows('You have the keyboard');
        await hasNoViolations(view);
        await page.keyboard.type('echo typed\n');
        await page.keyboard.press('Control+Shift+L');
        expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('TEXTAREA');
        await page.goto(`${viewer.origin}/#/session/asks`);
        await page.getByLabel('Secret for asks').waitFor();
        await hasNoViolations(view);
        await page.goto(`${viewer.origin}/#/recordings`);
        await view.shows('Begun');
        await hasNoViolations(view);
        await page.getByRole('link', { name: 'access' }).first().click();
        await page.getByRole('slider', { name: 'Moment' }).waitFor();
        await hasNoViolations(view);
      }
    },
  );
});
