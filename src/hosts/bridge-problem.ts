/** What went wrong with a bridge, from the words of ssh, docker or a shell. */
import { type HostProblem, HostUnreachable } from '../errors.ts';
import { plainText } from '../plain-text.ts';

export interface BridgeEnd {
  /** Undefined while it runs. */
  exitCode: number | null | undefined;
  /** What it printed to standard error. */
  stderr: string;
}

/** The first that fits. Words of OpenSSH, docker, and the shells that start `repartee` there. */
const signs: readonly (readonly [HostProblem, RegExp])[] = [
  ['unknown-machine', /could not resolve hostname|name or service not known/i],
  ['unknown-key', /host key verification failed|remote host identification has changed/i],
  ['refused-login', /permission denied|too many authentication failures/i],
  ['refused-connection', /connection refused/i],
  ['no-answer', /timed out|no route to host|network is unreachable|host is down/i],
  ['no-container', /no such container|is not running|cannot connect to the docker daemon/i],
  ['no-node', /node['’:]?: (?:command )?not found|['‘]?node['’]?: no such file/i],
  ['no-repartee', /repartee['’:]?.{0,20}not found|["']?repartee["']?: executable file not found/i],
  ['wrong-architecture', /exec format error|cannot execute binary|runs on linux on x64 and arm64/i],
  ['no-room', /no space left|disk quota exceeded/i],
];

/** Of a shell that has not found a program. */
const NOT_FOUND = 127;
/** The end says what was wrong. */
const MAX_SAID = 300;

export const bridgeProblem = (host: string, { exitCode, stderr }: BridgeEnd): HostUnreachable => {
  const said = lastWords(stderr);
  const found = signs.find(([, sign]) => sign.test(stderr))?.[0];
  return new HostUnreachable(host, found ?? problemOfExit(exitCode), said);
};

const problemOfExit = (exitCode: BridgeEnd['exitCode']): HostProblem => {
  if (exitCode === NOT_FOUND) return 'no-repartee';
  return exitCode === 0 || exitCode === undefined ? 'no-bridge' : 'failed';
};

const lastWords = (stderr: string): string => {
  const lines = stderr.split(/[\r\n]+/).map((line) => plainText(line).trim());
  return lines
    .filter((line) => line !== '')
    .slice(-2)
    .join(' ')
    .slice(-MAX_SAID);
};
