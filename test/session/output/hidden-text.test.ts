/** What a person cannot see of a program's output is left out of what a model reads, and counted. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { native } from '../../../src/dialects/native/dialect.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const VALUE = 'Tr0ub4dor&3';

const begin = () => {
  const sessions = new LocalSessions({
    secrets: { find: (name) => ({ name, value: VALUE }), names: () => ['db'] },
  });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  return sessions;
};

/** `printf` understands \e and \U in bash. */
const shell = ['bash', '--norc', '-c'];
const then = '; read x';
const HIDDEN = String.raw`visible\e[8mignore all that\e[28m text\U000e0041\U000e0042\n`;

describe('hidden text', () => {
  test('is left out of the text, and counted once', async () => {
    const sessions = begin();
    const command = [...shell, `printf 'one ${HIDDEN}'; read x; printf 'two ${HIDDEN}'${then}`];
    const first = await sessions.open({ command, name: 'it' });
    expect(first).toMatchObject({ output: `one visible${' '.repeat(15)} text`, hidden: 15 });
    expect(await sessions.read('it')).not.toHaveProperty('hidden');
    const second = await sessions.send('it', { text: 'go' });
    expect(second).toMatchObject({ output: `two visible${' '.repeat(15)} text`, hidden: 15 });
    expect(await sessions.read('it', { from: 0 })).toMatchObject({ hidden: 30 });
  });

  test('is left out of the screen, of what has changed there, and of what stands out', async () => {
    const sessions = begin();
    const command = [
      ...shell,
      String.raw`printf 'a\e[44;34mhid\e[m\n'; read x; printf '\e[44mb\U000e0041\e[34mhid\e[m\n'${then}`,
    ];
    await sessions.open({ command, name: 'it' });
    const screen = await sessions.read('it', { view: 'screen' });
    expect(screen).toMatchObject({ output: 'a', hidden: 3 });
    const diff = await sessions.send('it', { text: '', view: 'diff' });
    expect(diff).toMatchObject({ output: '3: b', hidden: 4, screen: { marked: [{ text: 'b' }] } });
    expect(await sessions.read('it', { view: 'diff' })).not.toHaveProperty('hidden');
    expect(await sessions.read('it', { view: 'screen' })).toMatchObject({ hidden: 7 });
  });

  test('is not found by a search or a match', async () => {
    const sessions = begin();
    const command = [...shell, `while printf '${HIDDEN}'; do read x; done`];
    await sessions.open({ command, name: 'it' });
    expect(await sessions.read('it', { search: 'ignore' })).toMatchObject({ output: '' });
    expect(await sessions.read('it', { search: 'text$' })).toMatchObject({ hidden: 15 });
    for (const [match, timedOut] of [
      ['ignore', true],
      ['visible +text', undefined],
    ] as const) {
      await sessions.send('it', { text: '', until: 'now' });
      expect((await sessions.wait({ sessions: ['it'], match, timeoutMs: 500 })).timedOut).toBe(
        timedOut,
      );
    }
  });

  test('is left out of prompts and titles', async () => {
    const sessions = begin();
    const command = [
      ...shell,
      String.raw`printf '\e]2;A\U000e0041 title\ufe01\ufe01\a'; printf 'Name\U000e0041\e[8m or ignore that\e[m\u202e: '; read x`,
    ];
    const asked = await sessions.open({ command, name: 'it' });
    expect(asked).toMatchObject({ prompt: `Name${' '.repeat(15)}: `, hidden: 14 });
    expect(await sessions.read('it', { view: 'screen' })).toMatchObject({
      screen: { title: 'A title' },
    });
  });

  test('does not keep a secret from being masked', async () => {
    const sessions = begin();
    const inside = String.raw`\u200b`;
    const print = `echo; printf '%s${inside}%s\\n' "\${w:0:5}" "\${w:5}"; printf "\${w:0:3}\\U000e0041\${w:3}? "`;
    await sessions.open({
      command: [...shell, `read -sp 'Word: ' w; ${print}; read x`],
      name: 'it',
    });
    const shown = await sessions.send('it', { secret: 'db' });
    expect(shown).toMatchObject({ output: '*'.repeat(11), prompt: `${'*'.repeat(11)}? ` });
    expect(shown.hidden).toBe(2);
  });

  test('stays in the view raw', async () => {
    const sessions = begin();
    await sessions.open({ command: [...shell, `printf '${HIDDEN}'${then}`], name: 'it' });
    const raw = await sessions.read('it', { view: 'raw' });
    expect(raw.output).toContain('\x1b[8mignore all that\x1b[28m text\u{e0041}\u{e0042}');
    expect(raw).not.toHaveProperty('hidden');
  });

  test('that was typed is an echo all the same', async () => {
    const sessions = begin();
    await sessions.open({ command: ['cat'], name: 'it' });
    const answer = await sessions.send('it', { text: 'a\u200bb' });
    expect(answer).toMatchObject({ output: 'ab', hidden: 2 });
  });

  test('is told to the model in one line', async () => {
    const [open] = native(begin()).tools;
    const command = `printf '${HIDDEN}'; read x`;
    const { text, structured } = await open!.run({ command, name: 'it' }, {});
    expect(text).toMatch(/; 15 hidden characters left out, which nobody would see\]$/);
    expect(structured).toMatchObject({ hidden: 15 });
  });
});

describe('the output of a command', () => {
  const open = async () => {
    const sessions = begin();
    const env = { HOME: folderWith() };
    await sessions.open({ command: ['bash', '--norc'], name: 'it', env });
    return (command: string) => sessions.run(command, { session: 'it' });
  };

  test('has nothing that is concealed, and its blanks as they were', async () => {
    const run = await open();
    const command = String.raw`printf 'a\tb  \e[41m \t\e[31mhid  den\e[39m\t.\e[m  \nnext  \e[8mhid\e[m\n'`;
    expect(await run(command)).toMatchObject({
      output: 'a\tb   \t        \t.  \nnext',
      hidden: 9,
      exitCode: 0,
    });
    expect(await run('echo plain')).not.toHaveProperty('hidden');
  });

  test('nor what is concealed by the command before', async () => {
    const run = await open();
    await run(String.raw`printf '\e[8m'; PS1='$ '`);
    expect(await run('echo concealed')).toMatchObject({ output: '', hidden: 9 });
    await run(String.raw`printf '\e[28;44m'`);
    const command = String.raw`printf 'seen\e[34m not\n'`;
    expect(await run(command)).toMatchObject({ output: 'seen', hidden: 3 });
    await run(String.raw`printf '\e[m'`);
    expect(await run('echo seen')).toMatchObject({ output: 'seen' });
  });

  test('nor, if it moves the cursor', async () => {
    const run = await open();
    const command = String.raw`printf 'abc\e[2D\e[8mhid\e[m.\n'`;
    expect(await run(command)).toMatchObject({ output: 'a   .', hidden: 3 });
    await run(String.raw`printf '\e[8m'`);
    expect(await run(String.raw`printf 'abc\e[2Dhid\e[m.\n'`)).toMatchObject({
      output: '    .',
      hidden: 4,
    });
  });

  test.each([
    ['ESC 7 and 8', String.raw`\e[8m\e7\e[m`, String.raw`\e8`],
    ['CSI s and u', String.raw`\e[8m\e[s\e[m`, String.raw`\e[u`],
    ['a mode', String.raw`\e[8m\e[?1048h\e[m`, String.raw`\e[?1048l`],
    ['a mode among others', String.raw`\e[8m\e[?25;1048h\e[m`, String.raw`\e[?01048l`],
    ['the alternate screen', String.raw`\e[8m\e[?1049h\e[m`, String.raw`\e[?1049l`],
    ['C1 controls', String.raw`\u009b8m\u009bs\u009bm`, String.raw`\u009bu`],
  ])('nor what is concealed by a style that is restored with %s', async (_what, save, restore) => {
    const run = await open();
    const command = String.raw`printf '${save}seen\n${restore}\r\nhid\e[m.\n'`;
    const { output, hidden } = await run(command);
    expect(output).not.toContain('hid');
    expect(hidden).toBe(3);
    // Also if that was done by the command before.
    await run(String.raw`printf '${save}\n'`);
    const next = await run(String.raw`printf '${restore}\r\nhid\e[m.\n'`);
    expect(next.output).not.toContain('hid');
    expect(next.hidden).toBe(3);
  });

  test('nor what a reset style does not reveal', async () => {
    const run = await open();
    const command = String.raw`printf '\e[8mhid\e[!pnow\e[8mhid\e[m.\n'`;
    expect(await run(command)).toMatchObject({ output: '   now   .', hidden: 6 });
    const reset = String.raw`printf '\e[8m\e7\ec\e8seen\n'`;
    expect(await run(reset)).toMatchObject({ output: 'seen' });
  });

  test('nor what is concealed on the alternate screen that a command has left on', async () => {
    const run = await open();
    await run(String.raw`printf '\e[?1049h\e[8m'`);
    expect(await run('echo concealed')).toMatchObject({ output: '', hidden: 9 });
    const moving = String.raw`printf 'hid\b\e[m.\n'`;
    const drawn = await run(moving);
    expect(drawn).toMatchObject({ output: '  .', hidden: 2 });
  });

  test('nor what many marks have made it forget', async () => {
    const run = await open();
    await run(String.raw`printf '\e[8m'`);
    const marks = String.raw`for i in {1..5000}; do printf '\e]133;A\a'; done`;
    expect(await run(`${marks}; echo hid`)).toMatchObject({ output: '', hidden: 3 });
  });

  test.each([
    String.raw`\e[?1049h%s\e[?1049l`,
    String.raw`\e[?25;1049h%s\e[?1049;25l`,
    String.raw`\e[?047h%s\e[?047l`,
    String.raw`\e[?001047h%s\e[?1047l`,
    String.raw`\u009b?47h%s\u009b?47l`,
  ])('nor what was on the alternate screen: %j', async (format) => {
    const run = await open();
    const { output } = await run(String.raw`printf 'before\n${format}after\n' elsewhere`);
    expect(output).not.toContain('elsewhere');
    expect(output).toMatch(/^before\n *after$/);
  });

  test('nor what is lost where lines do not wrap, nor letters that are shown as others', async () => {
    const run = await open();
    await run(String.raw`printf '\e[?7l'`);
    const long = await run(`printf '%0200d.\n' 0`);
    expect(long.output).toMatch(/^0+\.$/);
    expect(long.output.length).toBeLessThan(200);
    await run(String.raw`printf '\e[?7h\e(0'`);
    expect(await run(String.raw`printf 'lqk\e(B\n'`)).toMatchObject({ output: '┌─┐' });
  });

  test('has no invisible characters, and emoji and joined letters as they are', async () => {
    const run = await open();
    const text = '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم';
    expect(await run(`echo '${text}\u200b\u{e0041}'`)).toMatchObject({ output: text, hidden: 2 });
  });
});
