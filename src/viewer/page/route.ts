/** Which view is shown, kept in the address, so that the browser's back button works. */
import { useEffect, useState } from 'preact/hooks';

export type Route =
  | { view: 'sessions' }
  | { view: 'session'; session: string }
  | { view: 'recordings' }
  /** `at`: where to begin, in milliseconds since 1970. */
  | { view: 'recording'; recording: string; at: number | undefined };

export const hrefOf = (route: Route): string => {
  if (route.view === 'session') return `#/session/${encodeURIComponent(route.session)}`;
  if (route.view === 'recordings') return '#/recordings';
  if (route.view !== 'recording') return '#/';
  const at = route.at === undefined ? '' : `/${Math.round(route.at)}`;
  return `#/recording/${encodeURIComponent(route.recording)}${at}`;
};

export const parseRoute = (hash: string): Route => {
  const [, view = '', name = '', at] = hash.split('/');
  const decoded = decode(name);
  if (view === 'session' && decoded !== '') return { view: 'session', session: decoded };
  if (view === 'recordings') return { view: 'recordings' };
  if (view === 'recording' && decoded !== '')
    return { view: 'recording', recording: decoded, at: at === undefined ? undefined : Number(at) };
  return { view: 'sessions' };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

export const goTo = (route: Route): void => {
  location.hash = hrefOf(route);
};

export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return parseRoute(hash);
};
