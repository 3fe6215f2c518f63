/** How the page says things. */
import type { SessionState } from '../../session/sessions.ts';
import type { ListedSession } from '../page-messages.ts';

const waitingWords = {
  command: 'at its prompt',
  line: 'waits for a line',
  secret: 'waits for a secret',
  key: 'waits for a key',
} as const;

export const describeState = (state: SessionState): string => {
  if (state.state === 'working') return 'working';
  if (state.state === 'waiting') return waitingWords[state.waitingFor ?? 'line'];
  if (state.signal !== undefined) return `ended by ${state.signal}`;
  return state.exitCode === undefined ? 'exited' : `exited with ${state.exitCode}`;
};

/** For the colour beside the words: nothing is said by colour alone. */
export type Tone = 'working' | 'waiting' | 'person' | 'exited' | 'failed';

export const toneOf = (session: SessionState): Tone => {
  if (session.state === 'exited')
    return session.exitCode === 0 || session.exitCode === undefined ? 'exited' : 'failed';
  if (wantsPerson(session)) return 'person';
  return session.state;
};

/** A secret that nobody has stored, or a question to be answered with yes or no. */
export const wantsPerson = ({ state, waitingFor, secrets, prompt = '' }: SessionState): boolean => {
  if (state !== 'waiting') return false;
  if (waitingFor === 'secret') return (secrets ?? []).length === 0;
  return waitingFor !== 'command' && QUESTION.test(prompt);
};

const QUESTION = /\?\s*$|[[(]y(?:es)?\s*\/\s*n(?:o)?[^)\]]*[\])]/i;

export const describeDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
};

/** In steps, so that a screen full of them is not in motion. */
export const describeSince = ({ since, isSinceBefore }: ListedSession, now: number): string => {
  const ms = Math.max(0, now - since);
  const steps = ms < 10_000 ? Math.floor(ms / 1000) * 1000 : Math.floor(ms / 5000) * 5000;
  const shown =
    ms < 1000 ? 'just now' : describeDuration(ms < 60_000 ? steps : ms).replace('.0', '');
  return isSinceBefore ? `over ${shown}` : shown;
};

export const describeBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
};

export const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString([], { hour12: false });

export const dayAndTime = (at: number): string => {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
  if (isToday) return `today ${time}`;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
};

export const minutesAndSeconds = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
};

const two = (count: number): string => String(count).padStart(2, '0');

/** `/home/ann/src/project` as `~/src/project` cannot be known here; its end says most. */
export const shortFolder = (folder: string): string => {
  const parts = folder.split('/').filter(Boolean);
  return parts.length <= 4 ? folder : `…/${parts.slice(-3).join('/')}`;
};
