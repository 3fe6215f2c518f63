/** Runs command lines in a sandbox, one after another, as whoever starts this. Reads JSON, prints JSON. */
import { readFileSync } from 'node:fs';
import { LocalSessions } from '../../dist/index.js';

const { profile, workspace, commands } = JSON.parse(readFileSync(0, 'utf8'));
const sessions = new LocalSessions(profile === '' ? {} : { sandbox: { profile, workspace } });
const results = [];
for (const command of commands) {
  try {
    const run = await sessions.run(command, { cwd: workspace, timeoutMs: 20_000 });
    const { output, exitCode, signal, state } = run;
    results.push({ output, exitCode, signal, state });
    if (state !== 'exited') await sessions.close(run.session, { graceMs: 0 });
  } catch (error) {
    results.push({ error: `${error.code}: ${error.message}` });
  }
}
await sessions.closeAll({ graceMs: 0, force: true });
process.stdout.write(JSON.stringify(results));
