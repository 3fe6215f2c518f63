/** The variables of a program in a sandbox: without secrets, and without the addresses of what is hidden. */

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

/** `kept`: those that the profile names. */
export const sandboxedEnvironment = (env: Env, kept: readonly string[]): Env => ({
  ...Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => kept.includes(name) || !(SECRET.test(name) || known.includes(name)),
    ),
  ),
  // The temporary folder is private, whatever it was before.
  ...(env.TMPDIR !== undefined && { TMPDIR: '/tmp' }),
});
