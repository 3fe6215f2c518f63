/** Questions about absolute paths. */
import { realpathSync } from 'node:fs';

/** Whether it is the folder, or lies in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || folder === '/' || path.startsWith(`${folder}/`);

/** Undefined if there is nothing, or a link that leads nowhere. */
export const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};
