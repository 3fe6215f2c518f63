import type { Conversation, Step } from '../conversation.ts';

const unmarked = 'without marks, a shell at its prompt looks like its own `read`';
const command = { for: 'command', certainty: 'likely', why: unmarked } as const;

const byAgent = {
  certainty: 'likely',
  why: 'the process that asks was started by a daemon and is not a child of the program',
} as const;

const asRootNow: readonly Step[] = [
  { type: 'correct horse', expect: { prompt: /^root# $/, ...command } },
  { type: 'id -u; sleep 0.3; echo $((6*7))', shows: /^0\n42$/m, expect: command },
  { type: 'sleep 1000', expect: { working: 'sleeping' } },
  { keys: 'C-c', shows: /\^C/, expect: command },
  { type: 'python3 -q', expect: { for: 'line', prompt: /^>>> $/ } },
  { type: '7*7', shows: /^49$/m, expect: { for: 'line', prompt: /^>>> $/ } },
  { keys: 'C-d', expect: { prompt: /^root# $/, ...command } },
  { type: 'exit 3', expect: { exited: 3 } },
];

const sudo = (name: string, scene: string): Conversation => ({
  name,
  kind: 'password',
  needs: ['sudo', 'setpriv', 'useradd', 'bash', 'python3'],
  asRoot: true,
  scene,
  open: `$BECOME sudo env PS1='root# ' HISTFILE=/dev/null bash --norc -i`,
  steps: [
    { expect: { for: 'secret', prompt: /^\[sudo\] password for .*: $/ } },
    { type: 'wrong', shows: /Sorry, try again/, expect: { for: 'secret', prompt: /password for/ } },
    ...asRootNow,
  ],
});

const threaded = {
  certainty: 'likely',
  why: 'another of its threads sleeps with a time-out',
} as const;

export const passwords: readonly Conversation[] = [
  sudo('sudo, on a terminal of its own', 'sudoer, relayed'),
  sudo('sudo, on our terminal', 'sudoer, direct'),
  {
    name: 'sudo, given up',
    kind: 'password',
    needs: ['sudo', 'setpriv', 'useradd'],
    scene: 'ordinary user',
    open: '$BECOME sudo -k true',
    steps: [
      { shows: /password/, expect: { for: 'secret', prompt: /password for .*: $/, setuid: true } },
      { keys: 'C-c', shows: /password is required/, expect: { exited: 1 } },
    ],
  },
  {
    name: 'su',
    kind: 'password',
    needs: ['su', 'setpriv', 'useradd', 'bash'],
    asRoot: true,
    scene: 'ordinary user',
    open: '$BECOME su "$WHO"',
    steps: [
      { expect: { for: 'secret', prompt: /^Password: $/ } },
      { type: 'correct horse', expect: { prompt: /\$ $/, ...command } },
      { type: 'echo $((6*7))', shows: /^42$/m, expect: command },
      { type: 'sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /\^C/, expect: command },
      { type: 'exit 4', expect: { exited: 4 } },
    ],
  },
  {
    name: 'su -c',
    kind: 'password',
    needs: ['su', 'setpriv', 'useradd', 'python3'],
    asRoot: true,
    scene: 'ordinary user',
    open: '$BECOME su "$WHO" -c "python3 -q"',
    steps: [
      { expect: { for: 'secret', prompt: /^Password: $/ } },
      { type: 'correct horse', expect: { for: 'line', prompt: /^>>> $/ } },
      { type: '7*7', shows: /^49$/m, expect: { for: 'line', prompt: /^>>> $/ } },
      { type: 'import time; time.sleep(1000)', expect: { working: 'waiting for a child' } },
      { keys: 'C-c', shows: /Session terminated/, expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'su, refused',
    kind: 'password',
    needs: ['su', 'setpriv', 'useradd'],
    scene: 'ordinary user',
    open: '$BECOME su -c true root',
    steps: [
      { expect: { for: 'secret', prompt: /^Password: $/, setuid: true } },
      { type: 'wrong', shows: /Authentication failure/, expect: { exited: 1 } },
    ],
  },
  {
    name: 'passwd',
    kind: 'password',
    needs: ['passwd', 'setpriv', 'useradd'],
    asRoot: true,
    scene: 'ordinary user',
    open: '$BECOME passwd',
    steps: [
      { shows: /Changing password/, expect: { for: 'secret', prompt: /^Current password: $/ } },
      { type: 'correct horse', expect: { for: 'secret', prompt: /^New password: $/ } },
      { type: 'Battery-Staple-9', expect: { for: 'secret', prompt: /^Retype new password: $/ } },
      { type: 'Battery-Staple-9', shows: /updated successfully/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'ssh-keygen',
    kind: 'password',
    needs: ['ssh-keygen'],
    open: `sh -c 'ssh-keygen -t ed25519 -f key && exec ssh-keygen -q -t rsa -b 16384 -N "" -f slow'`,
    steps: [
      { expect: { for: 'secret', prompt: /^Enter passphrase .*: $/ } },
      {
        type: 'correct horse',
        expect: { for: 'secret', prompt: /^Enter same passphrase again: $/ },
      },
      {
        type: 'wrong',
        shows: /do not match/,
        expect: { for: 'secret', prompt: /^Enter passphrase .*: $/ },
      },
      {
        type: 'correct horse',
        expect: { for: 'secret', prompt: /^Enter same passphrase again: $/ },
      },
      { type: 'correct horse', expect: { working: 'computing' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'gpg',
    kind: 'password',
    needs: ['gpg', 'gpg-agent'],
    files: { 'letter.txt': 'Dear Ada\n' },
    open: `sh -c 'gpg --pinentry-mode loopback -c letter.txt && gpg-connect-agent killagent /bye && exec gpg --pinentry-mode loopback -d letter.txt.gpg'`,
    steps: [
      { expect: { for: 'secret', prompt: /^Enter passphrase: $/ } },
      { type: 'correct horse', expect: { for: 'secret', prompt: /^Enter passphrase: $/ } },
      { type: 'correct horse', shows: /^Dear Ada$/m, expect: { exited: 0 } },
    ],
  },
  {
    name: 'gpg, by its agent',
    kind: 'password',
    needs: ['gpg', 'gpg-agent', 'pinentry-curses'],
    files: { 'letter.txt': 'Dear Ada\n' },
    open: `sh -c 'echo pinentry-program /usr/bin/pinentry-curses > gpg-agent.conf && GPG_TTY=$(tty) exec gpg -c letter.txt'`,
    env: { GNUPGHOME: '.' },
    steps: [
      { shows: /Enter passphrase/, expect: { for: 'key', ...byAgent } },
      { type: 'correct-horse-9', shows: /re-enter/, expect: { for: 'key', ...byAgent } },
      { type: 'correct-horse-9', expect: { exited: 0 } },
    ],
  },
  {
    name: 'gpg, by its agent in a line',
    kind: 'password',
    needs: ['gpg', 'gpg-agent', 'pinentry-tty'],
    files: { 'letter.txt': 'Dear Ada\n' },
    open: `sh -c 'echo pinentry-program /usr/bin/pinentry-tty > gpg-agent.conf && GPG_TTY=$(tty) exec gpg -c letter.txt'`,
    env: { GNUPGHOME: '.' },
    steps: [
      {
        shows: /Enter passphrase/,
        expect: { for: 'secret', prompt: /^Passphrase: $/, ...byAgent },
      },
      { type: 'correct-horse-9', expect: { for: 'secret', prompt: /^Repeat: $/, ...byAgent } },
      { type: 'correct-horse-9', expect: { exited: 0 } },
    ],
  },
  {
    name: 'openssl enc',
    kind: 'password',
    needs: ['openssl'],
    files: { 'letter.txt': 'Dear Ada\n' },
    open: `openssl enc -aes-256-cbc -pbkdf2 -iter 400000000 -in letter.txt -out letter.enc`,
    steps: [
      { expect: { for: 'secret', prompt: /^enter .* encryption password:$/ } },
      {
        type: 'correct horse',
        expect: { for: 'secret', prompt: /^Verifying - enter .* encryption password:$/ },
      },
      { type: 'correct horse', expect: { working: 'computing' } },
      { keys: 'C-c', expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'openssl genrsa',
    kind: 'password',
    needs: ['openssl'],
    open: `sh -c 'openssl genrsa -aes256 -out key 2048; openssl genrsa -aes256 -out key 2048 && exec openssl rsa -in key -noout -check'`,
    steps: [
      { expect: { for: 'secret', prompt: /^Enter PEM pass phrase:$/ } },
      { type: 'correct horse', expect: { for: 'secret', prompt: /^Verifying - Enter PEM/ } },
      {
        type: 'wrong',
        shows: /Verify failure/,
        expect: { for: 'secret', prompt: /^Enter PEM pass phrase:$/ },
      },
      { type: 'correct horse', expect: { for: 'secret', prompt: /^Verifying - Enter PEM/ } },
      { type: 'correct horse', expect: { for: 'secret', prompt: /^Enter pass phrase for key:$/ } },
      { type: 'correct horse', shows: /RSA key ok/, expect: { exited: 0 } },
    ],
  },
  {
    name: 'openssl req',
    kind: 'password',
    needs: ['openssl'],
    open: 'openssl req -new -newkey rsa:2048 -nodes -keyout key -out request',
    steps: [
      { expect: { for: 'line', prompt: /^Country Name .*:$/ } },
      {
        type: 'England',
        shows: /too long/,
        expect: { for: 'line', prompt: /^Country Name .*:$/ },
      },
      { type: 'GB', expect: { for: 'line', prompt: /^State or Province Name .*:$/ } },
      { type: '', expect: { for: 'line', prompt: /^Locality Name .*:$/ } },
      { type: 'London', expect: { for: 'line', prompt: /^Organization Name .*:$/ } },
      { type: '', expect: { for: 'line', prompt: /^Organizational Unit Name .*:$/ } },
      { type: '', expect: { for: 'line', prompt: /^Common Name .*:$/ } },
      { type: 'ada.example.org', expect: { for: 'line', prompt: /^Email Address .*:$/ } },
      { type: '', expect: { for: 'line', prompt: /^A challenge password .*:$/ } },
      { type: '', expect: { for: 'line', prompt: /^An optional company name .*:$/ } },
      { type: '', expect: { exited: 0 } },
    ],
  },
  {
    name: 'cryptsetup luksFormat',
    kind: 'password',
    needs: ['cryptsetup'],
    open: `sh -c 'truncate -s 20M disk && exec cryptsetup luksFormat --type luks1 --pbkdf-force-iterations 1000 disk'`,
    steps: [
      { shows: /overwrite data/, expect: { for: 'line', prompt: /\(Type .*yes.*\): $/ } },
      { type: 'YES', expect: { for: 'secret', prompt: /^Enter passphrase for disk: $/ } },
      { type: 'correct horse battery', expect: { for: 'secret', prompt: /^Verify passphrase: $/ } },
      { type: 'correct horse battery', expect: { exited: 0 } },
    ],
  },
  {
    name: 'age',
    kind: 'password',
    needs: ['age'],
    files: { 'letter.txt': 'Dear Ada\n' },
    open: 'age -p -o letter.age letter.txt',
    steps: [
      { expect: { for: 'secret', prompt: /^Enter passphrase .*: $/, ...threaded } },
      {
        type: 'correct horse',
        expect: { for: 'secret', prompt: /^Confirm passphrase: $/, ...threaded },
      },
      { type: 'correct horse', expect: { exited: 0 } },
    ],
  },
  {
    name: 'gpg --full-generate-key',
    kind: 'password',
    needs: ['gpg', 'gpg-agent'],
    open: 'gpg --pinentry-mode loopback --full-generate-key',
    env: { GNUPGHOME: '.' },
    steps: [
      { shows: /RSA/, expect: { for: 'line', prompt: /^Your selection\? $/ } },
      {
        type: '99',
        shows: /Invalid selection/,
        expect: { for: 'line', prompt: /^Your selection\? $/ },
      },
      { type: '4', expect: { for: 'line', prompt: /^What keysize .*\? .*$/ } },
      { type: '2048', expect: { for: 'line', prompt: /^Key is valid for\? .*$/ } },
      { type: '0', expect: { for: 'line', prompt: /^Is this correct\? \(y\/N\) $/ } },
      { type: 'y', expect: { for: 'line', prompt: /^Real name: $/ } },
      { type: 'Ada Lovelace', expect: { for: 'line', prompt: /^Email address: $/ } },
      { type: 'ada@example.org', expect: { for: 'line', prompt: /^Comment: $/ } },
      { type: '', expect: { for: 'line', prompt: /\(O\)kay\/\(Q\)uit\? $/ } },
      { type: 'O', expect: { for: 'secret', prompt: /^Enter passphrase: $/ } },
      { keys: 'C-c', shows: /signal Interrupt caught/, expect: { exited: 'SIGINT' } },
    ],
  },
  {
    name: 'pass',
    kind: 'password',
    needs: ['pass', 'gpg', 'gpg-agent'],
    open: `sh -c 'gpg -q --batch --passphrase "" --quick-generate-key ada@example.org && pass init ada@example.org && pass insert mail && pass rm mail'`,
    env: { GNUPGHOME: '.' },
    steps: [
      { shows: /initialized/, expect: { for: 'secret', prompt: /^Enter password for mail: $/ } },
      { type: 'correct horse', expect: { for: 'secret', prompt: /^Retype password for mail: $/ } },
      { type: 'correct horse', expect: { for: 'line', prompt: /\[y\/N\] $/ } },
      { type: 'n', expect: { exited: 1 } },
    ],
  },
];
