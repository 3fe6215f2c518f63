/** Installs the clients from the npm registry, each into a folder of its own under build/clients. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/clients');

/** Some clients need a newer Node than Repartee does, and npm would install an old version of them. */
const node = `node-linux-${process.arch}`;

/** The folder of a client's Node. */
export const nodeFolder = join(folder, 'node/node_modules', node, 'bin');

export const folderOf = ({ name }) => join(folder, name);

export const installNode = () => install(join(folder, 'node'), node, '22');

/** Returns the version. Throws with npm's own words. */
export const installClient = (client) => install(folderOf(client), client.package, 'latest');

const install = async (into, name, version) => {
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
  const { code, printed } = await run('npm', args, into);
  const manifest = join(into, 'node_modules', name, 'package.json');
  if (code !== 0 || !existsSync(manifest))
    throw new Error(printed.trim().split('\n').at(0) || `npm ended with ${code}`);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
};

const run = (command, args, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, printed }));
  });
