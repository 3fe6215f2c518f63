/** Where a session is, and what it is called there: `box/python3`, or `python3` on this machine. */

export interface SessionAddress {
  /** Absent: this machine. */
  host?: string;
  name: string;
}

/** No name of a session has a slash in it; `ssh://box/python3` is one on a host that has no name here. */
export const splitSessionName = (address: string): SessionAddress => {
  const at = address.lastIndexOf('/');
  return at === -1
    ? { name: address }
    : { host: address.slice(0, at), name: address.slice(at + 1) };
};

export const isOnHost = (address: string): boolean => address.includes('/');

export const sessionOnHost = (host: string, name: string): string => `${host}/${name}`;
