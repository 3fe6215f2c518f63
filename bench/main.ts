/** `npm run bench NAME [-- --json]`: runs one bench and prints its table. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Args, print, type Report } from './report/report.ts';

const parse = (words: readonly string[]): Args => {
  const flags: Record<string, string | true> = {};
  for (let at = 0; at < words.length; at++) {
    const name = words[at]!.replace(/^--/, '');
    const next = words[at + 1];
    const hasValue = next !== undefined && !next.startsWith('--');
    flags[name] = hasValue ? next : true;
    if (hasValue) at++;
  }
  return { flags };
};

const [name, ...words] = process.argv.slice(2);
/** A bench is NAME.js, or NAME/main.js. */
const fileOf = (bench: string): string => {
  const folder = join(import.meta.dirname, bench);
  return existsSync(join(folder, 'main.js')) ? join(folder, 'main.js') : `${folder}.js`;
};
const benches = readdirSync(import.meta.dirname)
  .map((entry) => entry.replace(/\.js$/, ''))
  .filter((bench) => bench !== 'main' && existsSync(fileOf(bench)));

if (name === undefined || !benches.includes(name)) {
  const names = [...new Set(benches)].join(', ');
  console.error(`npm run bench NAME [-- --json], where NAME is one of: ${names}`);
  process.exit(2);
}

const args = parse(words);
const { run } = (await import(fileOf(name))) as { run: (args: Args) => Promise<Report> };
const report = await run(args);
console.log(args.flags.json ? JSON.stringify(report) : print(report));
process.exit(report.claims.every(({ holds }) => holds) ? 0 : 1);
