import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MakeScene } from '../scenes.ts';

const CHUNKS = 60;
const PAUSE_MS = 30;

/** A web server that takes its time: about two seconds for what is at $URL. */
export const slowServer: MakeScene = async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': CHUNKS * 1000 });
    trickle(response, CHUNKS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { URL: `http://127.0.0.1:${port}/file` },
    strike: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const trickle = (response: ServerResponse, chunks: number) => {
  if (chunks === 0) return void response.end();
  response.write('x'.repeat(1000));
  setTimeout(trickle, PAUSE_MS, response, chunks - 1);
};
