/** How a host is written, and the command that makes a bridge to it. */
import { UnusableHost } from '../errors.ts';

/** A program that becomes a bridge to the daemon of a host. */
export interface BridgeCommand {
  program: string;
  args: readonly string[];
}

export interface BridgeSettings {
  /** Where ssh keeps the socket of a connection that several bridges share. */
  runtimeFolder: string;
  /** A person is at this terminal, and may be asked for a password. */
  mayAsk: boolean;
}

/** Whether it is an address, well-formed or not, and no name. */
export const isHostAddress = (host: string): boolean =>
  /^(ssh:\/\/|docker:\/\/|command:)/.test(host);

/** In the PATH of a login there. `exec`: the shell is not needed any more. */
const CONNECT = 'exec repartee connect';

/** `ssh://user@box:22`, `docker://name` or `command:…`. Throws if it is none of them. */
export const bridgeCommand = (address: string, settings: BridgeSettings): BridgeCommand => {
  const [, scheme, rest = ''] = /^(ssh|docker):\/\/(.*)$/s.exec(address) ?? [];
  if (scheme === 'ssh') return sshBridge(address, rest, settings);
  if (scheme === 'docker') return dockerBridge(address, rest);
  const [, command = ''] = /^command:(.*)$/s.exec(address) ?? [];
  if (command.trim() === '')
    throw new UnusableHost(address, 'it is written in no way that is known');
  return { program: '/bin/sh', args: ['-c', command] };
};

/** No host begins with a dash: ssh would take it for an option. */
const SSH_PLACE =
  /^(?:([^@:/\s-][^@:/\s]*)@)?([^@:/\s-][^@:/\s]*|\[[\da-f:.%\w]+\])(?::(\d{1,5}))?\/?$/i;

const sshBridge = (address: string, place: string, settings: BridgeSettings): BridgeCommand => {
  const [, user, machine, port] = SSH_PLACE.exec(place) ?? [];
  if (machine === undefined)
    throw new UnusableHost(address, 'after ssh:// comes user@machine:port');
  const options = sshOptions(settings).flatMap((option) => ['-o', option]);
  const where = [...(user ? ['-l', user] : []), ...(port ? ['-p', port] : [])];
  const name = machine.replace(/^\[(.*)\]$/, '$1');
  return { program: 'ssh', args: ['-T', ...options, ...where, '--', name, CONNECT] };
};

/**
 * One connection for all bridges, which a person may have opened with a password. ssh notices in 45
 * seconds that the network is gone.
 */
const sshOptions = ({ runtimeFolder, mayAsk }: BridgeSettings): string[] => [
  'ControlMaster=auto',
  `ControlPath=${runtimeFolder}/ssh-%C`,
  'ControlPersist=10m',
  'ConnectTimeout=15',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  `BatchMode=${mayAsk ? 'no' : 'yes'}`,
];

const dockerBridge = (address: string, name: string): BridgeCommand => {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
    throw new UnusableHost(address, 'after docker:// comes the name of a container');
  return { program: 'docker', args: ['exec', '-i', name, 'repartee', 'connect'] };
};
