/** `npm run bench NAME [-- --json]`: runs one bench and prints its table. */
import { readdirSync } from 'node:fs';
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
const notBenches = ['main'];
const benches = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.replace(/\.js$/, ''))
  .filter((bench) => !notBenches.includes(bench));

if (name === undefined || !benches.includes(name)) {
  console.error(`npm run bench NAME [-- --json], where NAME is one of: ${benches.join(', ')}`);
  process.exit(2);
}

const args = parse(words);
const { run } = (await import(`./${name}.js`)) as { run: (args: Args) => Promise<Report> };
const report = await run(args);
console.log(args.flags.json ? JSON.stringify(report) : print(report));
process.exit(report.claims.every(({ holds }) => holds) ? 0 : 1);
