// A server that needs 2 s to come up.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end('hello\n'));
console.log('Compiling...');
setTimeout(() => {
  server.listen(0, '127.0.0.1', () => {
    appendFileSync(process.env.STAMP, `${(performance.timeOrigin + performance.now()) / 1000}\n`);
    console.log('Ready in 2 s, listening.');
  });
}, 2000);
