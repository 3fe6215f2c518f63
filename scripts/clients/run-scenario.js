/** `node run-scenario.js CLIENT SCENARIO`, in the namespace of enclosure.js: prints what came of it. */
import { kinds } from './kinds/kinds.js';
import { ClientCannot } from './outcome.js';
import { scenarios } from './scenarios/scenarios.js';
import { Workplace } from './workplace.js';

const [clientName, scenarioName] = process.argv.slice(2);
const kind = kinds.find(({ name }) => name === clientName);
const { run } = scenarios.find(({ name }) => name === scenarioName);

const report = (outcome, detail) =>
  process.stdout.write(`${JSON.stringify({ outcome, ...(detail && { detail }) })}\n`, () =>
    // The namespace ends all that is still running in it.
    process.exit(),
  );

try {
  const workplace = new Workplace(kind);
  await workplace.setUp();
  report('ok', await run(workplace));
} catch (error) {
  if (error instanceof ClientCannot) report('cannot', error.message);
  else report('FAILED', error.message);
}
