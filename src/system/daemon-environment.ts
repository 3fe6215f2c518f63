/**
 * The variables that the daemon itself needs. The environment of a session comes from its caller with the
 * request, and the daemon must not know the caller's secrets.
 */
const VARIABLES = [
  ...['HOME', 'PATH', 'LANG', 'LC_ALL', 'TZ'],
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'],
];

type Env = Readonly<Record<string, string | undefined>>;

export const daemonEnvironment = (env: Env): Record<string, string | undefined> =>
  Object.fromEntries(VARIABLES.map((name) => [name, env[name]]));
