import { createServer } from 'node:http';
import type { MakeScene } from '../scenes.ts';

/** A website on loopback that lets nobody in; $SITE is its address. */
export const website: MakeScene = async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="private"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const strike = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { env: { SITE: `http://127.0.0.1:${port}` }, strike };
};
