import type { Conversation, Waiting } from '../conversation.ts';

const ticking = (prompt: RegExp) =>
  ({
    for: 'line',
    prompt,
    certainty: 'likely',
    why: 'it wakes by itself twice in a second',
  }) satisfies Waiting;

export const databases: readonly Conversation[] = [
  {
    name: 'psql',
    kind: 'database',
    needs: ['psql', 'initdb', 'less', 'setpriv'],
    scene: 'postgres',
    open: 'psql -X',
    env: { PAGER: 'less' },
    steps: [
      { shows: /Type "help"/, expect: { for: 'line', prompt: /^postgres=# $/ } },
      { type: 'SELECT 6*7 AS answer;', shows: /^\s+42$/m, expect: { for: 'line', prompt: /=# $/ } },
      { type: 'SELECT 40', expect: { for: 'line', prompt: /^postgres-# $/ } },
      { type: '+ 3;', shows: /^\s+43$/m, expect: { for: 'line', prompt: /^postgres=# $/ } },
      { type: 'SELECT pg_sleep(1000);', expect: { working: 'on the network' } },
      {
        keys: 'C-c',
        shows: /canceling statement due to user request/,
        expect: { for: 'line', prompt: /^postgres=# $/ },
      },
      {
        type: 'SELECT pg_sleep(0.3), 44 AS late;',
        shows: /\|\s+44$/m,
        expect: { for: 'line', prompt: /=# $/ },
      },
      {
        type: 'SELECT * FROM generate_series(1, 200) AS n;',
        shows: /^\s+20\n[\s\S]*^:$/m,
        expect: { for: 'key' },
      },
      { keys: 'G', shows: /\(200 rows\)/, expect: { for: 'key' } },
      { keys: 'q', expect: { for: 'line', prompt: /^postgres=# $/ } },
      { type: "\\prompt 'Your name: ' who", expect: { for: 'line', prompt: /^Your name: $/ } },
      { type: 'Ada', expect: { for: 'line', prompt: /^postgres=# $/ } },
      { type: '\\password ada', expect: { for: 'secret', prompt: /^Enter new password.*: $/ } },
      { type: 'secret', expect: { for: 'secret', prompt: /^Enter it again: $/ } },
      { type: 'secret', expect: { for: 'line', prompt: /^postgres=# $/ } },
      { type: 'SELECT 45 AS again \\watch 1000', expect: { working: 'anything' } },
      { keys: 'C-c', shows: /^ +45$/m, expect: { for: 'line', prompt: /^postgres=# $/ } },
      { type: '\\q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'mariadb',
    kind: 'database',
    needs: ['mariadb', 'mariadbd', 'setpriv'],
    scene: 'mariadb',
    open: 'mariadb --no-defaults --socket="$SOCKET"',
    steps: [
      { shows: /Welcome/, expect: { for: 'line', prompt: /^MariaDB \[\(none\)\]> $/ } },
      { type: 'SELECT 6*7;', shows: /\| +42 \|/, expect: { for: 'line', prompt: /> $/ } },
      { type: 'SELECT 40', expect: { for: 'line', prompt: /^ +-> $/ } },
      { type: '+ 3;', shows: /\| +43 \|/, expect: { for: 'line', prompt: /\]> $/ } },
      { type: 'SELECT SLEEP(1000);', expect: { working: 'on the network' } },
      { keys: 'C-c', shows: /interrupted/, expect: { for: 'line', prompt: /\]> $/ } },
      {
        type: "SELECT SLEEP(0.3), 'late';",
        shows: /\| +0 \| late \|/,
        expect: { for: 'line', prompt: /\]> $/ },
      },
      { type: 'quit', shows: /Bye/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'redis-cli',
    kind: 'database',
    needs: ['redis-cli', 'redis-server', 'setpriv'],
    scene: 'redis',
    open: 'redis-cli -s "$SOCKET"',
    steps: [
      { expect: { for: 'line', prompt: /redis .*> $/ } },
      { type: 'SET answer 42', shows: /^OK$/m, expect: { for: 'line', prompt: /> $/ } },
      { type: 'GET answer', shows: /^"42"$/m, expect: { for: 'line', prompt: /> $/ } },
      { type: 'BLPOP late 0.3', shows: /\(nil\)/, expect: { for: 'line', prompt: /> $/ } },
      { type: 'BLPOP queue 0', expect: { working: 'on the network' } },
      { keys: 'C-c', expect: { exited: 1 } },
    ],
  },
  {
    name: 'redis-cli, subscribed',
    kind: 'database',
    needs: ['redis-cli', 'redis-server', 'setpriv'],
    scene: 'redis',
    open: 'redis-cli -s "$SOCKET"',
    steps: [
      { expect: { for: 'line', prompt: /redis .*> $/ } },
      { type: 'SUBSCRIBE news', expect: { working: 'on the network' } },
      { keys: 'C-c', shows: /Reading messages/, expect: { for: 'line', prompt: /> $/ } },
      { keys: 'C-d', expect: { exited: 0 } },
    ],
  },
  {
    name: 'litecli',
    kind: 'database',
    needs: ['litecli'],
    open: 'litecli --no-warn data.db',
    steps: [
      { expect: ticking(/data\.db> $/) },
      { type: 'select 6*7;', shows: /\| 42 /, expect: ticking(/data\.db> $/) },
      { type: 'select oops;', shows: /no such column/, expect: ticking(/data\.db> $/) },
      { type: 'exit', expect: { exited: 0 } },
    ],
  },
];
