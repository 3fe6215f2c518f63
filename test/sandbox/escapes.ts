/**
 * Attempts to get out of a sandbox, as data. Each is a command line that prints ESCAPED, or one of the
 * secrets of the scene, if it has succeeded. `$HOME`, `$VICTIM` and the like are the scene's.
 */

export interface Escape {
  name: string;
  command: string;
  /** Profiles that promise nothing about it. */
  allowedIn?: readonly string[];
  /** @default all profiles */
  only?: string;
}

const python = (...lines: string[]): string => `/usr/bin/python3 -c '\n${lines.join('\n')}\n'`;

const connect = (family: string, kind: string, address: string): string =>
  python(
    'import os, socket',
    `s = socket.socket(socket.${family}, socket.${kind}); s.settimeout(2)`,
    `s.connect(${address}); print("ESCAPED")`,
  );

/** What the proxy answers to a tunnel, with the target in `$1`, and then with a request in it. */
const throughProxy = (...targets: string[]): string =>
  python(
    'import os, socket',
    'def ask(text):',
    '    s = socket.create_connection(("127.0.0.1", 808), 5); s.settimeout(5)',
    '    s.sendall(text.encode()); answer = b""',
    '    while True:',
    '        try: more = s.recv(4096)',
    '        except OSError: return answer',
    '        if not more: return answer',
    '        answer += more',
    `for target in ${JSON.stringify(targets)}:`,
    '    target = os.path.expandvars(target)',
    '    tunnel = ask("CONNECT " + target + " HTTP/1.1\\r\\nHost: 127.0.0.9:9\\r\\n\\r\\n")',
    '    plain = ask("GET http://" + target + "/ HTTP/1.1\\r\\nHost: 127.0.0.9:9\\r\\nConnection: close\\r\\n\\r\\n")',
    '    for answer in (tunnel, plain):',
    '        if not answer.startswith((b"HTTP/1.1 40", b"HTTP/1.1 502")): print("ESCAPED", target, answer)',
  );

/** offline writes what the user may. */
const writes = { allowedIn: ['offline'] };

export const escapes: readonly Escape[] = [
  { name: 'write outside', command: 'echo x >> $HOME/outside && echo ESCAPED', ...writes },
  { name: 'make a file outside', command: 'touch $HOME/new && echo ESCAPED', ...writes },
  {
    name: 'write through a link that leads out',
    command: 'ln -sf $HOME/outside link; echo x >> link && echo ESCAPED',
    ...writes,
  },
  {
    name: 'write through a hard link to a file outside',
    command: 'ln $HOME/outside hard && echo x >> hard && echo ESCAPED',
    ...writes,
  },
  {
    name: 'write by way of /proc',
    command: 'echo x >> /proc/self/root$HOME/outside && echo ESCAPED',
    ...writes,
  },
  { name: 'read a key', command: 'cat $HOME/.ssh/id' },
  {
    name: 'read a key through a link',
    command: 'ln -sf $HOME/.ssh link2; cat link2/id ../.ssh/id',
  },
  { name: 'read a key by way of /proc', command: 'cat /proc/1/root$HOME/.ssh/id' },
  { name: 'read our secrets', command: 'cat $HOME/.config/repartee/secrets/*' },
  { name: 'read recordings', command: 'cat $HOME/.local/state/repartee/recordings/*' },
  { name: 'read the hashes of passwords', command: 'grep . /etc/shadow && echo ESCAPED' },
  { name: 'take off what hides a key', command: 'umount $HOME/.ssh; cat $HOME/.ssh/id' },
  { name: 'a variable with a secret', command: 'echo $SOME_TOKEN $SSH_AUTH_SOCK' },
  {
    name: 'change a hook of git',
    command: 'echo x >> .git/hooks/pre-commit && echo ESCAPED',
    ...writes,
  },
  {
    name: 'move the hooks away',
    command:
      'mv .git moved && mkdir -p .git/hooks && echo ESCAPED; mv .git/hooks h && echo ESCAPED',
    ...writes,
  },
  {
    name: 'change what a client obeys',
    command:
      'for f in .git/config .mcp.json .claude/settings.json; do echo x >> $f && echo ESCAPED; rm -rf $f; test -e $f || echo ESCAPED; done',
    ...writes,
  },
  { name: 'TCP', command: '(: < /dev/tcp/127.0.0.1/$TCP_PORT) && echo ESCAPED' },
  {
    name: 'UDP',
    // It is sent into nothing, and the scene notices if it arrives.
    command: 'echo x > /dev/udp/127.0.0.1/$UDP_PORT',
  },
  { name: 'a name', command: 'getent hosts example.org && echo ESCAPED' },
  {
    name: 'the proxy by address',
    command: throughProxy(
      '127.0.0.1:$TCP_PORT',
      '[::1]:$TCP_PORT',
      '[::ffff:127.0.0.1]:$TCP_PORT',
      '2130706433:$TCP_PORT',
      '0x7f000001:$TCP_PORT',
      '0177.0.0.1:$TCP_PORT',
      '127.1:$TCP_PORT',
      '0:$TCP_PORT',
    ),
    only: 'named-hosts',
  },
  {
    name: 'the proxy by a name that leads here',
    command: throughProxy('localhost:$TCP_PORT', 'localhost.:$TCP_PORT', 'LOCALHOST:$TCP_PORT'),
    only: 'named-hosts',
  },
  {
    name: 'the proxy to another port, by user name and by a line of its own',
    command: throughProxy(
      '127.0.0.9:$TCP_PORT',
      '127.0.0.9:9@127.0.0.1:$TCP_PORT',
      '127.0.0.9:9 HTTP/1.1\\r\\nX: y@127.0.0.1:$TCP_PORT',
    ),
    only: 'named-hosts',
  },
  {
    name: 'listen where the proxy does',
    command: python(
      'import socket',
      'for port in (808, 809):',
      '    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):',
      '        s = socket.socket(socket.AF_INET, kind); s.setsockopt(1, 15, 1)',
      '        try: s.bind(("127.0.0.1", port))',
      '        except OSError: continue',
      '        print("ESCAPED", port)',
    ),
  },
  {
    name: 'packets of its own, or another network',
    command: python(
      'import socket',
      'for family, kind in ((17, 3), (2, 3), (16, 3)):',
      '    try: s = socket.socket(family, kind)',
      '    except OSError: continue',
      '    if family != 16: print("ESCAPED", family)',
      's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1)',
      'for address in ("192.0.2.1", "127.0.0.53"):',
      '    try: s.sendto(b"x", (address, 53)); s.recv(1); print("ESCAPED", address)',
      '    except OSError: pass',
      // What the kernel has are the devices of the sandbox alone.
      'import os',
      'if os.listdir("/sys/class/net") and len(open("/proc/net/dev").readlines()) > 3: print("ESCAPED")',
    ),
  },
  {
    name: 'a Unix socket',
    command: connect('AF_UNIX', 'SOCK_STREAM', 'os.environ["HOME"] + "/sockets/one"'),
  },
  {
    name: 'an abstract Unix socket',
    command: connect('AF_UNIX', 'SOCK_STREAM', '"\\0" + os.environ["ABSTRACT"].ljust(107, "\\0")'),
  },
  {
    name: 'sockets of the system',
    command:
      'find / -xdev -type s 2>/dev/null | grep . && echo ESCAPED; ls -A /run /tmp | grep -i sock && echo ESCAPED',
  },
  { name: 'see another process', command: 'cat /proc/$VICTIM/environ | tr "\\0" "\\n"' },
  { name: 'signal another process', command: 'kill -0 $VICTIM && echo ESCAPED' },
  {
    name: 'signal all processes',
    // In its own namespace there are only its own.
    command: 'kill -9 -1; echo x',
  },
  {
    name: 'trace another process',
    command: python(
      'import ctypes, os',
      'libc = ctypes.CDLL(None, use_errno=True)',
      'pid = int(os.environ["VICTIM"])',
      'if libc.ptrace(16, pid, 0, 0) == 0: print("ESCAPED")',
      'if libc.syscall(434, pid, 0) >= 0: print("ESCAPED")',
    ),
  },
  { name: 'descriptors of ours', command: 'ls /proc/self/fd | grep -v "^[0-3]$" && echo ESCAPED' },
  { name: 'mount', command: 'mount -t tmpfs x /mnt && echo ESCAPED' },
  { name: 'mount it for writing', command: 'mount -o remount,bind,rw / && echo ESCAPED' },
  {
    name: 'a namespace of its own',
    command: 'unshare --user --map-root-user --mount true && echo ESCAPED',
  },
  { name: 'another root', command: 'chroot / true && echo ESCAPED' },
  { name: 'another user', command: python('import os', 'os.setuid(12345); print("ESCAPED")') },
  { name: 'sudo', command: 'sudo -n true && echo ESCAPED' },
  {
    name: 'a device',
    command:
      'mknod disk b 8 0 && echo ESCAPED; ls /dev/kmsg /dev/mem /dev/sd* /dev/vd* 2>/dev/null && echo ESCAPED',
  },
  {
    name: 'settings of the kernel',
    // Opened, not written: it would change the machine.
    command:
      'for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper /sys/power/state; do (: >> $f) 2>/dev/null && echo ESCAPED; done; find /proc/sys /sys -type f -writable 2>/dev/null | head -3 | grep . && echo ESCAPED',
  },
  {
    name: 'type into the terminal',
    command: python(
      'import ctypes, fcntl',
      'libc = ctypes.CDLL(None)',
      'for request in (0x5412, 0x541c):',
      '    if libc.syscall(16, 0, request, b"x") == 0: print("ESCAPED")',
      // The kernel looks at the lower half alone.
      '    if libc.syscall(16, 0, ctypes.c_ulong(request | 1 << 32), b"x") == 0: print("ESCAPED")',
    ),
  },
  {
    name: 'keys of the kernel',
    command: python(
      'import ctypes',
      'libc = ctypes.CDLL(None)',
      'if libc.syscall(250, 0, -3, 1) >= 0: print("ESCAPED")',
    ),
  },
];

/** What must work in every profile, with what it prints. */
export const promised: readonly { name: string; command: string; prints: RegExp; only?: string }[] =
  [
    {
      name: 'git',
      command:
        'git init -q repository && cd repository && git config user.email a@b.c && git config user.name a && touch a && git add a && git commit -qm one && git log --oneline',
      prints: / one$/,
      only: 'workspace',
    },
    {
      name: 'npm test',
      command: `mkdir -p package && cd package && echo '{"scripts":{"test":"echo all is well"}}' > package.json && npm test --silent`,
      prints: /all is well/,
      only: 'workspace',
    },
    {
      name: 'python',
      command: 'python3 -c "import tempfile; print(tempfile.TemporaryFile() and 6 * 7)"',
      prints: /^42$/,
    },
    {
      name: 'a server on its own loopback',
      command: python(
        'import socket',
        's = socket.create_server(("127.0.0.1", 0))',
        'c = socket.create_connection(s.getsockname())',
        's.accept()[0].send(b"hello"); print(c.recv(5))',
      ),
      prints: /hello/,
    },
    {
      name: 'a temporary file',
      command: 'f=$(mktemp) && echo kept > $f && cat $f',
      prints: /^kept$/,
    },
    {
      name: 'sudo says why not',
      command: 'sudo -n true',
      prints: /no new privileges|effective uid|^sudo: .*Invalid argument/i,
    },
    {
      name: 'its own terminal',
      command: 'test -t 0 && tty && stty size && echo x > /dev/tty',
      prints: /x$/,
    },
  ];
