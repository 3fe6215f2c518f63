/**
 * The units with which systemd starts the daemon for its first client. Printed on request, never installed.
 *
 * What systemd starts is the keeper. It must outlive what happens to others: an ended daemon, a program
 * that has used up all memory.
 */
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { keeperCommand } from './start-daemon.ts';

export interface UnitFile {
  name: string;
  text: string;
}

export const systemdUnits = (paths: DaemonPaths): UnitFile[] => [
  { name: 'repartee.socket', text: socketUnit(paths) },
  { name: 'repartee.service', text: serviceUnit(paths) },
];

const socketUnit = ({ socket }: DaemonPaths): string => `[Unit]
Description=Repartee: where clients find the daemon

[Socket]
ListenStream=${escapeSpecifiers(socket)}
SocketMode=0600
DirectoryMode=0700

[Install]
WantedBy=sockets.target
`;

/**
 * KillMode: otherwise systemd would kill the daemon and all programs when the keeper ends, however it ends.
 * OOMPolicy: otherwise one program that is killed for its memory would end all sessions.
 */
const serviceUnit = (paths: DaemonPaths): string => `[Unit]
Description=Repartee: keeps terminal sessions
Requires=repartee.socket
After=repartee.socket

[Service]
ExecStart=${[process.execPath, ...keeperCommand(paths)].map(quoteForUnit).join(' ')}
KillMode=process
OOMPolicy=continue
`;

/** systemd.service(5), "Command lines": a backslash, a quote, a percent and a dollar sign mean something. */
export const quoteForUnit = (word: string): string => {
  const escaped = escapeSpecifiers(word).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('$', '$$$$')}'`;
};

/** systemd.unit(5), "Specifiers". */
const escapeSpecifiers = (text: string): string => text.replaceAll('%', '%%');
