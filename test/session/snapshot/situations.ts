/** Situations in which a session may be when its process ends, and how it must go on. */
import type { OpenOptions } from '../../../src/session/options/options.ts';

export interface SessionStep {
  call: string;
  args?: readonly unknown[];
  as?: { reader?: string; actor?: string };
}

export interface Situation {
  name: string;
  /** Programs that must be installed. */
  needs?: readonly string[];
  open: OpenOptions;
  before: readonly SessionStep[];
  /**
   * Its output is not the same each time, nor is what first shows that it waits. So positions and reasons
   * are not compared.
   */
  varies?: true;
  /** The secret `word` is held back when the session is written down. */
  isHolding?: true;
  after: readonly SessionStep[];
}

const sh = (script: string): OpenOptions => ({ command: ['sh', '-c', script] });
const bash: OpenOptions = { shell: '/bin/bash', clean: true, env: { PS1: '$ ' } };

const call = (name: string, ...args: unknown[]): SessionStep => ({ call: name, args });
const send = (text: string, options: object = {}) => call('send', { text, ...options });
const keys = (names: string, options: object = {}) => call('send', { keys: names, ...options });
const read = (options: object = {}) => call('read', options);
const run = (command: string, options: object = {}) => call('run', command, options);
const shows = (pattern: string) => call('shows', pattern);
const all = read({ from: 0 });
const screen = read({ view: 'screen' });
/** Typed, with nothing read. */
const enter = (text: string) => call('type', `${text}\r`);
const ready = call('settles');

const secretScript = (rest: string) =>
  `stty -echo; printf 'Password: '; read p; stty echo; echo; ${rest}`;
/** What is typed later is not echoed: an echo within the secret would end it. */
const quietSecretScript = (rest: string) => `stty -echo; printf 'Password: '; read p; ${rest}`;
const typeWord = call('send', { secret: 'word', until: 'now' });

export const situations: readonly Situation[] = [
  {
    name: 'in the middle of a line',
    open: sh('printf "half a"; read x; echo " line, $x"; read y'),
    before: [shows('half a')],
    after: [read(), send('go'), all],
  },
  {
    name: 'in the middle of a line that was read',
    open: sh('printf "half a"; read x; echo " line, $x"; read y'),
    before: [shows('half a'), read()],
    after: [send('go'), read(), all],
  },
  {
    name: 'within an escape sequence',
    open: sh(`printf 'plain \\033[3'; read x; printf '1mred\\033[m end\\n'; read y`),
    before: [shows('plain')],
    after: [send('go'), read({ view: 'raw' }), screen],
  },
  {
    name: 'within a character',
    open: sh(`printf 'caf\\303'; read x; printf '\\251 au lait\\n'; read y`),
    before: [shows('caf')],
    after: [send('go'), all],
  },
  {
    name: 'within a title',
    open: sh(`printf '\\033]2;half a'; read x; printf ' title\\007ok\\n'; read y`),
    before: [call('works', 'sh')],
    after: [send('go'), screen],
  },
  {
    name: 'with a secret half printed, and held back',
    open: sh(
      quietSecretScript(
        `printf %s "$p" | head -c 8; read x; printf %s "$p" | tail -c +9; echo; read y`,
      ),
    ),
    before: [call('wait', { sessions: ['it'] }), typeWord],
    isHolding: true,
    after: [call('type', '\r'), shows('\\*{14}'), ready, all, read({ view: 'raw', from: 0 })],
  },
  {
    name: 'with a secret half printed, and shown as asterisks',
    open: sh(
      quietSecretScript(
        `printf %s "$p" | head -c 8; read x; printf %s "$p" | tail -c +9; echo; read y`,
      ),
    ),
    before: [call('wait', { sessions: ['it'] }), typeWord, shows('\\*{8}')],
    after: [call('type', '\r'), shows('\\*{14}'), ready, all],
  },
  {
    name: 'at a password prompt',
    open: sh(secretScript('test "$p" && echo letters; read y')),
    before: [call('wait', { sessions: ['it'] })],
    after: [read(), call('send', { secret: 'word' }), all],
  },
  {
    name: 'on the alternate screen',
    needs: ['less'],
    open: { command: ['less', '/etc/services'], env: { LESS: '' } },
    before: [shows('tcpmux'), screen],
    after: [keys('Space'), read({ view: 'diff' }), keys('g')],
  },
  {
    name: 'in an editor, in the middle of an insertion',
    varies: true,
    needs: ['vim'],
    open: { command: ['vim', '-u', 'NONE', '-i', 'NONE', '-n'] },
    before: [shows('VIM'), ready, keys('i'), call('send', { text: 'one', submit: false })],
    after: [call('send', { text: ' two', submit: false }), keys('Escape'), screen],
  },
  {
    name: 'with a line begun in a shell',
    open: bash,
    before: [send('echo one', { submit: false })],
    after: [send(' two'), all],
  },
  {
    name: 'with a line begun in canonical mode',
    open: { command: ['cat'] },
    before: [send('one', { submit: false, until: 'now' }), shows('one')],
    after: [send(' two'), all],
  },
  {
    name: 'with a paste of which half is typed',
    open: bash,
    before: [call('type', '\x1b[200~echo one\recho t'), ready],
    after: [call('type', 'wo\x1b[201~'), shows('echo two'), keys('Enter'), all],
  },
  {
    name: 'with output that nobody has read',
    open: bash,
    before: [enter('seq 1 60'), shows('^60$'), ready],
    after: [read(), read()],
  },
  {
    name: 'with several readers',
    open: bash,
    before: [
      send('echo one'),
      { call: 'read', args: [{}], as: { reader: 'late' } },
      send('echo two'),
      { call: 'read', args: [{}], as: { reader: 'later' } },
      enter('echo three'),
      shows('^three$'),
      ready,
    ],
    after: [
      { call: 'read', args: [{}], as: { reader: 'late' } },
      { call: 'read', args: [{}], as: { reader: 'later' } },
      { call: 'read', args: [{}], as: { reader: 'new' } },
      read(),
    ],
  },
  {
    name: 'with readers of raw bytes and of the screen',
    open: bash,
    before: [send('echo one'), read({ view: 'raw' }), screen, send('echo two')],
    after: [
      read({ view: 'raw' }),
      read({ view: 'diff' }),
      send('echo three'),
      read({ view: 'diff' }),
    ],
  },
  {
    name: 'exited, with output to read',
    open: sh('echo last words; exit 3'),
    before: [call('wait', { sessions: ['it'], until: 'exit' })],
    after: [read(), call('wait', { sessions: ['it'] }), send('x')],
  },
  {
    name: 'with a job in the background that prints',
    // The shell tells the job's pid, which may have more digits the second time.
    varies: true,
    open: { ...bash },
    before: [
      send('(while read x; do echo "job $x"; done) < <(sleep 0.2; echo 1; sleep 0.2; echo 2) &'),
    ],
    after: [shows('job 2'), ready, all],
  },
  {
    name: 'with a command of run in progress',
    open: bash,
    before: [run('read x; echo "got $x"', { timeoutMs: 200 })],
    after: [run('echo no'), send('it'), run('echo yes')],
  },
  {
    name: 'with a command of run that sleeps',
    open: bash,
    before: [run('sleep 1000', { timeoutMs: 200 })],
    after: [run('echo no'), keys('C-c'), run('echo $?')],
  },
  {
    name: 'with a command of run between typed marks',
    open: { command: ['dash'], env: { PS1: '$ ' } },
    before: [run('sleep 1000', { timeoutMs: 200 })],
    after: [run('echo no'), keys('C-c'), run('echo yes')],
  },
  {
    name: 'at the prompt of a shell with marks',
    open: bash,
    before: [run('cd /usr; false')],
    after: [run('pwd; echo $?'), send('echo typed'), read({ from: 0 })],
  },
  {
    name: 'with lines carried over a run',
    open: bash,
    before: [enter('seq 5'), shows('^5$'), ready, run('echo run')],
    after: [read(), read()],
  },
  {
    name: 'with a line typed ahead',
    open: bash,
    before: [
      send('sleep 3', { until: 'now' }),
      call('works', 'sleep'),
      send('echo ahead', { until: 'now' }),
    ],
    after: [shows('^ahead$'), ready, all],
  },
  {
    name: 'in a block of a REPL',
    needs: ['python3'],
    open: { command: ['python3', '-q'], env: { PYTHON_HISTORY: '/dev/null', PYTHONSTARTUP: '' } },
    before: [send('def double(x):'), send('    return 2 * x')],
    after: [send(''), send('double(21)'), all],
  },
  {
    name: 'with modes that change what keys send',
    open: sh(`stty -icanon -echo; printf '\\033[?1h\\033[?1000h\\033[?1006hmodes\\n'; exec cat -v`),
    before: [shows('modes')],
    after: [
      keys('Up', { until: 'now' }),
      keys('Click(3,4)', { until: 'now' }),
      shows('<0;3;4m'),
      screen,
    ],
  },
  {
    name: 'with margins, a charset, a saved cursor and tabs',
    open: sh(
      `printf 'top\\n\\033[2;6r\\033(0lqk\\0337\\033[4;1H\\033[3g'; read x; printf 'x\\tq\\0338qqq\\033(B\\n\\n\\n\\n\\n\\n\\nend\\033[r'; read y`,
    ),
    before: [shows('┌─┐')],
    after: [send('go'), screen],
  },
  {
    name: 'with a title, a folder and a progress',
    open: sh(
      `printf '\\033]2;My title\\007\\033]7;file:///usr\\007\\033]9;4;1;40\\007on\\n'; read x; read y`,
    ),
    before: [shows('on')],
    after: [screen, send('x')],
  },
  {
    name: 'after a resize',
    open: bash,
    before: [send('seq 1 60'), call('resize', 60, 12), ready],
    after: [send('stty size'), screen, call('resize', 100, 30), ready, screen, all],
  },
  {
    name: 'after a flood that its history does not hold',
    varies: true,
    open: { ...bash, history: { maxBytes: 65_536, maxLines: 500 } },
    before: [enter('seq 1 40000'), shows('^40000$'), ready, read({ maxTokens: 100 })],
    after: [send('echo more'), read({ search: '^399[0-9]9$' }), read()],
  },
  {
    name: 'within a very long line',
    open: sh(`head -c 150000 /dev/zero | tr '\\0' x; read x; echo end; read y`),
    before: [shows('x{80}')],
    after: [send('go'), read({ from: 100_000, maxTokens: 200 })],
  },
  {
    name: 'with a query whose answer would be typed as a line',
    open: sh(`printf 'where\\033[6n'; read x; echo "got $x" | cat -v; read y`),
    before: [shows('where')],
    after: [send('go'), all],
  },
  {
    name: 'with the keyboard taken',
    open: bash,
    before: [{ call: 'take', as: { actor: 'Ada' } }],
    after: [send('no'), { call: 'giveBack', as: { actor: 'Ada' } }, send('echo yes')],
  },
  {
    name: 'with a stopped job',
    open: bash,
    before: [enter('cat'), call('works', 'cat'), keys('C-z')],
    after: [enter('fg'), call('works', 'cat'), ready, send('line'), keys('C-d'), all],
  },
  {
    name: 'in zsh, after output without a line end',
    needs: ['zsh'],
    open: { shell: '/bin/zsh', clean: true, env: { PS1: '%% ' } },
    before: [send('printf half'), send('printf again')],
    after: [send('echo whole'), all],
  },
];
