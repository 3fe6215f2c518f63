import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { folderWithCli, ownCli } from '../helpers/cli/own-cli.ts';
import { testWith } from '../helpers/needs.ts';

testWith('gdb', 'gcc')(
  'a shell script converses with gdb through the command line alone',
  { timeout: 60_000 },
  async () => {
    const cli = ownCli();
    const command = join(folderWithCli(), 'repartee');
    const script = join(import.meta.dirname, '../../examples/gdb.sh');
    const env = { ...cli.env, REPARTEE: command, CC: 'gcc' };
    const { stdout } = await promisify(execFile)(script, [], { env });
    expect(stdout).toContain('$1 = 0');
    expect(stdout).toContain('Found: 0 is even');
    expect((await cli.run('ls', '--json')).json).toEqual({ sessions: [] });
  },
);
