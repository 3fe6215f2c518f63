import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { ListeningSockets } from '../../src/system/listening-sockets.ts';
import { tcpListeners } from '../../src/system/socket-diagnosis.ts';
import { asRoot, testWith } from '../helpers/needs.ts';
import { open } from '../helpers/open-terminal.ts';

const server = `
import socket, os, sys
tcp = socket.create_server(("127.0.0.1", 0)); six = socket.create_server(("::1", 0), family=socket.AF_INET6)
unix = socket.socket(socket.AF_UNIX); unix.bind("\\0repartee-%d" % os.getpid()); unix.listen()
client = socket.create_connection(tcp.getsockname())
print("on", tcp.getsockname()[1], six.getsockname()[1], flush=True)
input()
`;

testWith('python3')(
  'listening ports and sockets are known, of children too; connections are not among them',
  async () => {
    const { pty, text, see } = await open('sh', [
      '-c',
      `python3 -c '${server.replaceAll("'", "'\\''")}'; :`,
    ]);
    await see(/on \d+ \d+\r\n/);
    const [tcp, six] = /on (\d+) (\d+)/.exec(text())!.slice(1).map(Number);
    const sockets = new ListeningSockets();
    const found = sockets.of(pty.pid);
    // The second call uses the remembered sockets, and the result is the same.
    expect(sockets.of(pty.pid)).toEqual(found);
    expect(sockets.ports(pty.pid)).toEqual([tcp, six]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        { port: tcp, address: '127.0.0.1' },
        { port: six, address: '::1' },
        { path: expect.stringMatching(/^@repartee-\d+$/) },
      ]),
    );
  },
);

const late = `
import socket
tcp = socket.socket(); tcp.bind(("127.0.0.1", 0))
one, other = socket.socketpair()
input("bound")
tcp.listen()
input("listening")
`;

testWith('python3')('a socket that listens only later is seen then', async () => {
  const { pty, see } = await open('python3', ['-c', late]);
  await see(/bound/);
  const sockets = new ListeningSockets();
  expect(sockets.ports(pty.pid)).toEqual([]);
  await pty.write('\n');
  await see(/listening/);
  expect(sockets.ports(pty.pid)).toEqual([expect.any(Number)]);
});

asRoot(testWith('python3'))('the ports of a network of its own are known too', async () => {
  const { pty, see } = await open('unshare', ['--net', 'python3', '-c', late]);
  await see(/bound/);
  const sockets = new ListeningSockets();
  expect(sockets.ports(pty.pid)).toEqual([]);
  await pty.write('\n');
  await see(/listening/);
  expect(sockets.ports(pty.pid)).toEqual([expect.any(Number)]);
});

test('the kernel tells which of many sockets listen, and no longer when they are closed', async () => {
  const servers = Array.from({ length: 400 }, (_, at) =>
    createServer().listen(0, at % 2 === 0 ? '127.0.0.1' : '::1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  const told = () => [...tcpListeners()!.values()].map(({ port }) => port);
  expect(told()).toEqual(expect.arrayContaining(ports));
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  expect(told().filter((port) => ports.includes(port))).toEqual([]);
});
