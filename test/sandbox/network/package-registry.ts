/** A registry with one package, `tiny`, for npm. It notes what it was asked for. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const makeTarball = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-package-'));
  try {
    mkdirSync(join(folder, 'package'));
    writeFileSync(
      join(folder, 'package/package.json'),
      JSON.stringify({ name: 'tiny', version: '1.0.0', main: 'index.js' }),
    );
    writeFileSync(join(folder, 'package/index.js'), 'module.exports = "from the registry";');
    return execFileSync('tar', ['czf', '-', '-C', folder, 'package']);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export class PackageRegistry {
  readonly asked: string[] = [];
  /** As clients name it. */
  readonly authority: string;
  readonly #server: Server;

  private constructor(server: Server, authority: string) {
    this.#server = server;
    this.authority = authority;
  }

  /** `address`: of the loopback device, which has more than one. */
  static async open(address: string): Promise<PackageRegistry> {
    const tarball = makeTarball();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const { port } = server.address() as { port: number };
    const registry = new PackageRegistry(server, `${address}:${port}`);
    const dist = { tarball: `http://${registry.authority}/tiny.tgz` };
    const document = {
      name: 'tiny',
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { name: 'tiny', version: '1.0.0', dist } },
    };
    server.on('request', ({ url = '' }, answer) => {
      registry.asked.push(url);
      if (url === '/tiny') answer.end(JSON.stringify(document));
      else if (url === '/tiny.tgz') answer.end(tarball);
      else answer.writeHead(404).end();
    });
    return registry;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
