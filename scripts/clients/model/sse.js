/** Answers as server-sent events, which all four protocols use. */
export const startStream = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
};

/** `type` names the event, as two of the protocols do. */
export const writeEvent = (response, data, type) => {
  if (type !== undefined) response.write(`event: ${type}\n`);
  response.write(`data: ${JSON.stringify(data)}\n\n`);
};

export const writeJson = (response, data, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data));
};

/** The text of a tool's result, which may be a string or a list of parts. */
export const textOf = (content) => {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  return content.text ?? JSON.stringify(content);
};
