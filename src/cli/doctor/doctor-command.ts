import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes.ts';
import { textColorsFor } from '../output/colors.ts';
import { printJson, printText } from '../output/print-result.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'say what this machine allows, and what to do about what it does not',
  options: jsonOption,
  notes: ['Exit codes: 0 all is well, 1 something is not.'],
  async run({ values }) {
    const { examineInstallation } = await import('./examine.ts');
    const findings = await examineInstallation();
    const isHealthy = findings.every(({ ok }) => ok);
    if (values.json) printJson({ ok: isHealthy, findings });
    else {
      const { green, red, bold } = textColorsFor(process.stdout);
      const width = Math.max(...findings.map(({ what }) => what.length));
      for (const { what, ok, says } of findings)
        printText(`${ok ? green('✓') : red('✗')} ${bold(what.padEnd(width))}  ${says}`);
    }
    return isHealthy ? EXIT_DONE : EXIT_FAILED;
  },
});
