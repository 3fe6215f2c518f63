/** Between node:http and the web's Request and Response, which the SDK speaks. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body, or undefined if it is larger than allowed. */
export const bodyOf = async (
  request: IncomingMessage,
  maxBytes: number,
): Promise<string | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Without its body, which is read and parsed once by ourselves. */
export const toWebRequest = (
  { method = 'GET', url = '/', rawHeaders, headers }: IncomingMessage,
  signal: AbortSignal,
): Request => {
  const webHeaders = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    webHeaders.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: webHeaders,
    signal,
  });
};

/** Passes the response on as it comes: it may be a stream that lasts for hours. */
export const sendWebResponse = async (response: Response, to: ServerResponse): Promise<void> => {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = response.body.getReader();
  // A body that has failed cannot be cancelled; whoever reads it is told why.
  to.once('close', () => reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || to.destroyed) break;
    if (!to.write(value)) await drained(to);
  }
  to.end();
};

const drained = (to: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      to.off('drain', done);
      to.off('close', done);
      resolve();
    };
    to.once('drain', done);
    to.once('close', done);
  });
