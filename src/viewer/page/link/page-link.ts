/** What the link says: the token, and what to show first. It is taken out of the address at once. */

export interface PageLink {
  token: string | undefined;
  session: string | undefined;
}

/** Of this tab alone, and gone with it: a reload needs the token again. */
const STORED = 'repartee-token';

export const takeLink = (): PageLink => {
  const given = new URLSearchParams(location.hash.replace(/^#(?!\/)/, ''));
  const token = given.get('token') ?? undefined;
  const session = given.get('session') ?? undefined;
  if (token === undefined) return { token: sessionStorage.getItem(STORED) ?? undefined, session };
  sessionStorage.setItem(STORED, token);
  history.replaceState(null, '', location.pathname);
  return { token, session };
};
