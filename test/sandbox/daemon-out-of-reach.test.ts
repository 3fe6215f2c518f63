/** What runs in a sandbox finds no way to the daemon that has its session, nor to its keeper. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { profilesFolder } from '../../src/sandbox/profile.ts';
import { statusOf } from '../helpers/daemon/kept-daemon.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const test = testWith('bwrap', 'nsenter', 'python3');

/** Prints how many attempts there were, and REACHED for each that has succeeded. */
const attempts = `
import glob, os, socket, sys
paths, pids, kept = eval(sys.argv[1])
tried = 0
def attempt(what, act):
    global tried
    tried += 1
    try: act()
    except OSError: return
    print("REACHED", what)
def connect(address):
    s = socket.socket(socket.AF_UNIX); s.settimeout(2)
    s.connect(address); s.close()
roots = [""] + sorted(glob.glob("/proc/[0-9]*/root")) + ["/proc/self/root", "/proc/thread-self/root"]
for root in roots:
    for path in paths:
        attempt(root + path, lambda: connect(root + path))
        attempt("beside " + root + path, lambda: connect(os.path.join(root + os.path.dirname(path), "..", os.path.basename(os.path.dirname(path)), os.path.basename(path))))
    for path in kept:
        attempt(root + path, lambda: open(root + path).read(1) or None)
# Outside a sandbox, these are other people's.
for line in open("/proc/net/unix").read().splitlines()[1:] if len(sys.argv) > 2 else []:
    fields = line.split()
    if len(fields) > 7: attempt(fields[7], lambda: connect(fields[7].replace("@", "\\0")))
for pid in pids:
    attempt(pid, lambda: os.kill(pid, 0))
    for what in ("environ", "mem", "maps", "cmdline"):
        attempt((pid, what), lambda: open("/proc/%d/%s" % (pid, what), "rb").read(0))
for fd in glob.glob("/proc/[0-9]*/fd/*"):
    try: link = os.readlink(fd)
    except OSError: continue
    if "memfd" in link or "socket:" in link: print("REACHED", fd, link)
print("tried", tried > 20)
`;

test.each(['workspace', 'read-only', 'offline', 'hosts'])(
  'in the profile %s neither its sockets nor its processes, memory and files are reached',
  async (profile) => {
    const daemon = ownDaemon();
    const workspace = folderWith({ 'attempts.py': attempts });
    const profiles = profilesFolder(daemon.env);
    mkdirSync(profiles, { recursive: true });
    writeFileSync(join(profiles, 'hosts.json'), '{"network": ["127.0.0.9:9"]}');
    const free = await daemon.connect();
    await free.open({ command: ['cat'], name: 'other' });
    const { pid } = await statusOf(daemon);
    const { socket, stateSocket, log, journal, audit, lock } = daemon.paths;
    const known = [
      [socket, stateSocket],
      [pid, process.pid],
      [log, journal, audit, lock],
    ];
    const client = await daemon.connect({
      caller: { door: 'mcp', sandbox: { profile, workspace } },
    });
    const command = `/usr/bin/python3 attempts.py '${JSON.stringify(known)}' all`;
    expect(await client.run(command, { cwd: workspace })).toMatchObject({
      output: 'tried True',
      exitCode: 0,
    });
    expect(await free.list()).toMatchObject([{ session: 'other' }]);
  },
);

test('without a sandbox the same attempts succeed, so they are worth something', async () => {
  const daemon = ownDaemon();
  const workspace = folderWith({ 'attempts.py': attempts });
  const free = await daemon.connect();
  const { socket, log } = daemon.paths;
  const command = `/usr/bin/python3 attempts.py '${JSON.stringify([[socket], [process.pid], [log]])}'`;
  const { output } = await free.run(command, { cwd: workspace });
  for (const reached of [socket, log, process.pid]) expect(output).toContain(`REACHED ${reached}`);
});
