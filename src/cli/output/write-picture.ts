/** Writes a picture into a file, and says so. */
import { writeFileSync } from 'node:fs';
import { FileNotWritten } from '../../errors.ts';
import { printJson, printRemark } from './print-result.ts';

/** Returns the exit code. */
export const writePicture = (
  file: string,
  picture: string | Uint8Array,
  { json }: { json: boolean },
): number => {
  try {
    writeFileSync(file, picture);
  } catch (error) {
    throw new FileNotWritten(file, (error as Error).message);
  }
  const bytes = Buffer.byteLength(picture);
  if (json) printJson({ file, bytes });
  else printRemark(`[${file}: ${bytes} bytes]`);
  return 0;
};
