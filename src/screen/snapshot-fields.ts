/** The kinds of fields that snapshots are made of. */
import { z } from 'zod';

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
export const numberField = z.number();
export const text = z.string();
export const flag = z.boolean();
