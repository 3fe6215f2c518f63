import { type Command, jsonOption } from '../command.ts';
import { DONE, FAILED } from '../exit-codes.ts';
import { paintFor } from '../output/colors.ts';
import { print, printJson } from '../output/print-result.ts';
import { parse } from '../parse-args.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'say what this machine allows, and what to do about what it does not',
  usage: '[--json]',
  options: jsonOption,
  notes: ['Exit codes: 0 all is well, 1 something is not.'],
  async run(args) {
    const { values } = parse({
      args: [...args],
      options: { json: { type: 'boolean', default: false } },
    });
    const { examine } = await import('../doctor/examine.ts');
    const findings = await examine();
    const isWell = findings.every(({ ok }) => ok);
    if (values.json) printJson({ ok: isWell, findings });
    else {
      const { green, red, bold } = paintFor(process.stdout);
      const width = Math.max(...findings.map(({ what }) => what.length));
      for (const { what, ok, says } of findings)
        print(`${ok ? green('✓') : red('✗')} ${bold(what.padEnd(width))}  ${says}`);
    }
    return isWell ? DONE : FAILED;
  },
};
