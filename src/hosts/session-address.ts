/** Where a session is, and what it is called there: `box/python3`, or `python3` on this machine. */

export interface SessionAddress {
  /** Absent: this machine. */
  host?: string;
  name: string;
}

/** The names of sessions and of hosts have no slash in them. */
export const splitSessionName = (address: string): SessionAddress => {
  const at = address.indexOf('/');
  return at === -1
    ? { name: address }
    : { host: address.slice(0, at), name: address.slice(at + 1) };
};

export const sessionOnHost = (host: string, name: string): string => `${host}/${name}`;
