/** Changes to the clients' own files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const editFile = (file, change) => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, change(text), { mode: 0o600 });
};

export const mergeJson = (file, added) =>
  editFile(file, (text) => JSON.stringify(merge(text === '' ? {} : JSON.parse(text), added)));

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const merge = (one, other) => {
  if (!isObject(one) || !isObject(other)) return other;
  const merged = Object.entries(other).map(([key, value]) => [key, merge(one[key], value)]);
  return { ...one, ...Object.fromEntries(merged) };
};
