/** The blocks of the manual that are not run as they stand, and why. There is no other way not to be. */
import type { Block } from './pages.ts';

interface Exception {
  page: string;
  /** How its first line begins; empty for every block of the page. */
  begins: string;
  because: string;
}

export const exceptions: readonly Exception[] = [
  {
    page: 'docs/guide/hosts.md',
    begins: '',
    because: 'needs other machines; test/hosts and test/cli/hosts do this with some of their own',
  },
  {
    page: 'docs/guide/sandbox.md',
    begins: '{\n  "write": ["workspace", "~/.cache/pip"]',
    because: 'a file; test/sandbox/profile.test.ts reads it as one',
  },
  {
    page: 'README.md',
    begins: 'npm install && npx repartee demo',
    because: 'CI itself runs npm install and npm test; test/cli/demo/demo.test.ts runs the demo',
  },
  {
    page: 'README.md',
    begins: ' 3  Busy, or your turn?',
    because: 'test/cli/demo/demo.test.ts, which runs the demo, compares it',
  },
  {
    page: 'docs/internals/architecture.md',
    begins: "   an agent's client       a person, a script",
    because: 'a diagram; test/imports.test.ts holds the source to it',
  },
  {
    page: 'docs/guide/mcp.md',
    begins: 'claude mcp add --transport http',
    because: 'needs the clients themselves; test/mcp/http/serve-http.test.ts connects as they do',
  },
  {
    page: 'docs/guide/daemon.md',
    begins: 'repartee daemon stop\nrepartee daemon unit',
    because:
      'needs systemd; test/keeper/socket-activation.test.ts starts the keeper as systemd does',
  },
  {
    page: 'docs/guide/policy.md',
    begins: '{\n  "rules"',
    because: 'a policy; test/policy/judge-action.test.ts reads it, and tries its rules',
  },
  {
    page: 'docs/reference/benchmarks.md',
    begins: '',
    because: 'written by npm run bench peers: answers of others, as they came',
  },
];

export const exceptionFor = (block: Block): Exception | undefined =>
  exceptions.find(({ page, begins }) => block.page === page && block.text.startsWith(begins));
