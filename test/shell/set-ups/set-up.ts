/** A way in which people configure their shells. */
export interface SetUp {
  what: string;
  /** The shell's own file in a home folder: .bashrc, .zshrc or config.fish. */
  rc?: string;
  /** Further files in that home. */
  files?: Readonly<Record<string, string>>;
  /** Programs, or files of packages, without which there is no such set-up. */
  needs?: readonly string[];
  /** A command given to `run` once the shell has started, which changes the set-up. */
  typed?: string;
  /** Lines that the set-up itself adds to the output of commands: a trace, for example. */
  adds?: RegExp;
  /** What the shell itself says goes elsewhere. */
  isMute?: true;
  /** The shell draws over what was printed, so the screen, which `send` shows, does not have all of it. */
  isOverdrawn?: true;
  /** `typed`: the shell cannot mark the ends of commands, so typed marks take their place. */
  marks?: 'typed';
  /** A command whose output shows that the set-up still works after other commands. */
  check?: { command: string; output: string | RegExp };
}
