/**
 * How far the programs of a caller may go. Who has started the caller's door says it, or the session that
 * the caller runs in. The caller itself can tighten it, and never loosen it.
 */
import { SandboxLooser, SessionOutOfReach } from '../errors.ts';
import { isAsConfined, makeSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { ifDefined } from './options/if-defined.ts';

/** What is asked for when a door is opened. */
export interface SandboxOptions {
  /** The profile that every session has, unless it asks for a tighter one. @default none */
  profile?: string;
  /** The folder that the profile `workspace` lets programs write. @default the folder of this process */
  workspace?: string;
}

export interface Confinement {
  workspace?: string;
  /** Absent: not confined. */
  sandbox?: Sandbox;
}

/** `within`: the sandbox of the session in which the caller runs. Throws if less is asked for than that. */
export const makeConfinement = (
  { profile, workspace }: SandboxOptions,
  within?: Sandbox,
): Confinement => {
  const folder = within?.workspace ?? workspace;
  const confinement = { ...ifDefined('workspace', folder), ...ifDefined('sandbox', within) };
  return { ...confinement, ...ifDefined('sandbox', sandboxFor(profile, confinement)) };
};

/** The sandbox of a new session. `asked`: the profile that its caller has named. */
export const sandboxFor = (
  asked: string | undefined,
  { workspace, sandbox }: Confinement,
): Sandbox | undefined => {
  if (asked === undefined) return sandbox;
  const made = makeSandbox(asked, workspace);
  if (sandbox !== undefined && !isAsConfined(made, sandbox))
    throw new SandboxLooser(asked, sandbox.profile);
  return made;
};

/**
 * The confinement of a caller whose server asks for a profile at least. One that has a sandbox of its own
 * must be as confined by that: which of two it should get otherwise is not for us to choose.
 */
export const confinedBy = (least: string | undefined, confinement: Confinement): Confinement => {
  if (least === undefined) return confinement;
  const { workspace, sandbox: own } = confinement;
  const sandbox = makeSandbox(least, workspace);
  if (own === undefined) return { ...confinement, sandbox };
  if (!isAsConfined(own, sandbox)) throw new SandboxLooser(own.profile, least);
  return confinement;
};

/** What can be reached: sessions whose programs can do nothing that the caller's own could not. */
export const reaches = (
  { sandbox }: Confinement,
  session: { sandbox?: Sandbox | undefined },
): boolean => isAsConfined(session.sandbox, sandbox);

export const assertReaches = (
  confinement: Confinement,
  session: { name: string; sandbox?: Sandbox | undefined },
): void => {
  if (!reaches(confinement, session))
    throw new SessionOutOfReach(session.name, confinement.sandbox!.profile);
};
