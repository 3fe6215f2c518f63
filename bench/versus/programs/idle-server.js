// A server that is up and has nothing to do: it waits for the network, not for its terminal.
import { createServer } from 'node:http';

createServer((_, response) => response.end('hello\n')).listen(0, '127.0.0.1', () => {
  console.log('Ready, listening.');
});
