/** Converts between node:http and the web's Request and Response, which the SDK uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { drained } from '../../http/drained.ts';

/** Returns undefined if the body is too large. */
export const readRequestBody = async (
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

/** Converts a request without its body, which the caller reads and parses itself. */
export const toWebRequest = (
  { method = 'GET', url = '/', rawHeaders, headers }: IncomingMessage,
  signal: AbortSignal,
): Request => {
  const webHeaders = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    webHeaders.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: webHeaders,
    signal,
  });
};

/** Sends the response piece by piece: it may be a stream that lasts for hours. */
export const sendWebResponse = async (
  response: Response,
  target: ServerResponse,
): Promise<void> => {
  target.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    target.end();
    return;
  }
  target.flushHeaders();
  const reader = response.body.getReader();
  // Cancelling a body that has failed rejects too. `reader.read` below already throws that error.
  target.once('close', () => reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || target.destroyed) break;
    if (!target.write(value)) await drained(target);
  }
  target.end();
};
