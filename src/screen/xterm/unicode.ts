/**
 * The width of characters: Unicode 15, by grapheme, so that a letter and its accents, a flag or a
 * family of emoji take one cell or two, as in current terminals.
 *
 * The addon reads its table from the start of the memory that a Buffer lies in (0.4.0 ignores
 * `byteOffset`). A small Buffer lies somewhere in node's shared pool, so whether importing it
 * throws "Data error" depends on what the process did before. While it is loaded there is no pool.
 */
import { createRequire } from 'node:module';

type Addon = typeof import('@xterm/addon-unicode-graphemes');

const { poolSize } = Buffer;
Buffer.poolSize = 0;
const { UnicodeGraphemesAddon } = createRequire(import.meta.url)(
  '@xterm/addon-unicode-graphemes',
) as Addon;
Buffer.poolSize = poolSize;

export { UnicodeGraphemesAddon };
