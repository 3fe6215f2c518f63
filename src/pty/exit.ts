import type { Exit } from './reaper.ts';

/** How a program ended, for messages. */
export const describeExit = ({ code, signal }: Exit): string => {
  if (signal !== undefined) return `ended by ${signal}`;
  return code === undefined ? 'how is not known' : `exit code ${code}`;
};
