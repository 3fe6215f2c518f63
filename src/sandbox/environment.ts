/** The variables of a program in a sandbox: without secrets, and without the addresses of what is hidden. */
import { hostsOf, proxyVariables } from './network/sandbox-network.ts';
import type { Sandbox } from './sandbox.ts';

const SECRET =
  /(^|_)(API_?KEY|ACCESS_?KEY|TOKEN|KEY|KEYS|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|DSN)$/i;

/** Secrets with other names, and where agents and services that hold secrets are reached. */
const known: readonly string[] = [
  'AWS_ACCESS_KEY_ID',
  'CARGO_REGISTRY_TOKEN',
  'DATABASE_URL',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'DOCKER_HOST',
  'GNUPGHOME',
  'GPG_AGENT_INFO',
  'KUBECONFIG',
  'MYSQL_PWD',
  'PGPASSWORD',
  'REPARTEE_SOCKET',
  'SSH_AGENT_PID',
  'SSH_AUTH_SOCK',
  'SUDO_ASKPASS',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
];

type Env = Readonly<Record<string, string | undefined>>;

export const sandboxedEnvironment = (env: Env, sandbox: Pick<Sandbox, 'env' | 'network'>): Env => ({
  ...Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => sandbox.env.includes(name) || !(SECRET.test(name) || known.includes(name)),
    ),
  ),
  ...(hostsOf(sandbox) && proxyVariables),
  // The temporary folder is private, whatever it was before.
  ...(env.TMPDIR !== undefined && { TMPDIR: '/tmp' }),
});
