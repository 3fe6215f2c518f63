/**
 * `npm run conformance`: the MCP conformance suite against the package as built, over HTTP.
 *
 * The suite knows no tokens, so it comes through a proxy that adds ours and leaves Host and Origin as
 * they are. It needs Node 22, which the npm package `node` brings. Both are installed on demand, under
 * build/, and are nobody's dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'build/conformance');
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const node22 = join(folder, 'node_modules/node/bin/node');

const applicable = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

/** The others ask for tools, resources and prompts of fixed names, which only a test server has. */
const inapplicable = {
  'a tool of the suite (test_simple_text and so on)': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'json-schema-2020-12',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'server-sse-polling',
  ],
  'a resource of the suite (test://static-text and so on)': [
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
  ],
  'a prompt of the suite (test_simple_prompt and so on)': [
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'a capability that we do not have': ['logging-set-level', 'completion-complete'],
};

const install = () => {
  if (existsSync(suite) && existsSync(node22)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = ['@modelcontextprotocol/conformance@0.1', 'node@22'];
  const args = ['install', '--no-audit', '--no-fund', ...packages];
  spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
};

/** Resolves when the server has said where it listens. */
const startServer = () =>
  new Promise((resolve, reject) => {
    const args = [join(root, 'dist/cli/main.js'), 'mcp', '--embedded', '--http', '0'];
    const server = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
    server.once('exit', () => reject(new Error('The server ended.')));
    let printed = '';
    server.stderr.on('data', (chunk) => {
      printed += chunk;
      const [, url] = /serving (\S+)/.exec(printed) ?? [];
      const [, token] = /token: (\S+)\n/.exec(printed) ?? [];
      if (url && token) resolve({ server, port: Number(new URL(url).port), token });
    });
  });

const startProxy = (port, token) =>
  new Promise((resolve) => {
    const proxy = createServer((incoming, outgoing) => {
      const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
      const { method, url: path } = incoming;
      const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    proxy.listen(0, '127.0.0.1', () => resolve(proxy));
  });

const runScenario = (scenario, url) =>
  new Promise((resolve) => {
    const args = [suite, 'server', '--url', url, '--scenario', scenario];
    const child = spawn(node22, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    child.once('exit', (code) => resolve({ passed: code === 0, printed }));
  });

install();
const { server, port, token } = await startServer();
const proxy = await startProxy(port, token);
const url = `http://localhost:${proxy.address().port}/mcp`;
let failures = 0;
for (const scenario of applicable) {
  const { passed, printed } = await runScenario(scenario, url);
  console.log(`${passed ? 'passes' : 'FAILS '}  ${scenario}`);
  if (!passed) {
    failures++;
    console.log(printed);
  }
}
for (const [reason, scenarios] of Object.entries(inapplicable))
  console.log(`\nneeds ${reason}:\n  ${scenarios.join(', ')}`);
proxy.close();
proxy.closeAllConnections();
server.removeAllListeners('exit');
server.kill();
process.exitCode = failures === 0 ? 0 : 1;
