/** Lets an HTTP server listen, and says what can be done if it cannot. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnusableAddress } from '../errors.ts';

export interface ListenAddress {
  host: string;
  /** 0 means any free port. */
  port: number;
}

/** Returns where it listens, as a URL begins. */
export const listenOn = async (
  server: Server,
  { host, port }: ListenAddress,
): Promise<{ origin: string; port: number }> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UnusableAddress(host, port, remedies[error.code ?? ''] ?? error.message)),
    );
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  const urlHost = host.includes(':') ? `[${host}]` : host;
  return { origin: `http://${urlHost}:${actualPort}`, port: actualPort };
};

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has that port. Take another, or 0 for any that is free',
  EACCES: 'only root may have that port. Take one from 1024 on, or 0 for any that is free',
  EADDRNOTAVAIL:
    'this machine does not have that address. 127.0.0.1 is for clients on this machine',
  ENOTFOUND: 'nobody knows that name. 127.0.0.1 is for clients on this machine',
};
