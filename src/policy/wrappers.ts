/**
 * Programs that run another one, which stands behind their own options: as data.
 *
 * `takes`: their options that take a value as a word of its own. `skips`: words that come before the program.
 */

interface Wrapper {
  takes?: readonly string[];
  skips?: number;
}

const wrapper = (takes = '', skips = 0): Wrapper => ({
  takes: takes === '' ? [] : takes.split(' '),
  skips,
});

export const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: wrapper(
    '-u -g -p -C -T -h -D -R -r -t -U --user --group --prompt --host --chdir --chroot --role --type',
  ),
  doas: wrapper('-u -C'),
  env: wrapper('-u -C -S --unset --chdir'),
  command: wrapper(),
  builtin: wrapper(),
  exec: wrapper('-a'),
  nohup: wrapper(),
  setsid: wrapper(),
  time: wrapper('-f -o --format --output'),
  nice: wrapper('-n --adjustment'),
  ionice: wrapper('-c -n -p --class --classdata'),
  chrt: wrapper('', 1),
  taskset: wrapper('', 1),
  timeout: wrapper('-s -k --signal --kill-after', 1),
  stdbuf: wrapper('-i -o -e --input --output --error'),
  unbuffer: wrapper(),
  chroot: wrapper('', 1),
  unshare: wrapper(),
  nsenter: wrapper('-t --target'),
  flock: wrapper('-w -E --timeout', 1),
  strace: wrapper('-e -o -p -s -u'),
  ltrace: wrapper('-e -o -p -s -u'),
  xargs: wrapper('-I -n -P -L -d -a -E -s --max-args --max-procs --replace --delimiter --arg-file'),
  parallel: wrapper('-j --jobs'),
  watch: wrapper('-n --interval'),
  script: wrapper('', 0),
  busybox: wrapper(),
  toybox: wrapper(),
  fakeroot: wrapper(),
  proxychains: wrapper('-f'),
  'systemd-run': wrapper('-p -u --property --unit'),
  'dbus-run-session': wrapper(),
  runuser: wrapper('-u -g --user --group'),
  setpriv: wrapper(),
  coproc: wrapper(),
  noglob: wrapper(),
  nocorrect: wrapper(),
};

/** They read a script: from `-c`, or from their input. */
export const shells: ReadonlySet<string> = new Set(
  'sh bash dash zsh fish ksh mksh ash rbash tcsh csh elvish nu yash'.split(' '),
);

/** Programs behind which another shell may get what is typed: on another machine, or as another user. */
export const relays: ReadonlySet<string> = new Set(
  'ssh mosh mosh-client telnet docker podman kubectl oc lxc incus nsenter machinectl tmux screen script expect su sudo doas chroot adb minicom picocom'.split(
    ' ',
  ),
);
