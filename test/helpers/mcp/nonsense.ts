/** Random input of a broken or hostile client: invalid messages and nonsensical calls. */
import type { Random } from '../seeded.ts';

/** A tool as the server lists it. */
export interface AdvertisedTool {
  name: string;
  inputSchema: { properties?: Record<string, { type?: string | string[]; enum?: unknown[] }> };
}

/** Harmless for any user, and soon over. */
const commands = [
  'exec cat',
  'true',
  'false',
  'echo hi',
  'exit 3',
  'seq 1 3000',
  'read x',
  'kill $$',
];
const words = ['', 'x', 'prey', 'exit', 'C-c', '*', '(a+)+$', '\u0000', '\u001b[6n', '../..', '-1'];
const odd = ['\ud800', '\u202e', 'é'.repeat(3000), '__proto__', 'x'.repeat(100_000)];
const numbers = [-1, 0, 0.5, 1, 7, 80, 65_536, 2 ** 31, 1e15, 1e308, -0];

const randomValue = (random: Random, depth = 0): unknown => {
  const { pick, list, below } = random;
  return pick<() => unknown>([
    () => null,
    () => true,
    () => pick(numbers),
    () => pick(words),
    () => pick(odd),
    () => (depth > 3 ? [] : list(3, () => randomValue(random, depth + 1))),
    () =>
      depth > 3
        ? {}
        : Object.fromEntries(list(3, () => [pick(words), randomValue(random, depth + 1)])),
    () => (below(20) === 0 ? nested(1000) : {}),
  ])();
};

const nested = (depth: number): unknown => {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

/** Mostly of the right type, and seldom a wait that would outlast the test. */
const randomArgument = (name: string, type: string | undefined, random: Random): unknown => {
  const { pick, below } = random;
  if (below(30) === 0) {
    const value = randomValue(random);
    if (!isTime(name) || (typeof value !== 'number' && value !== null)) return value;
  }
  if (isTime(name)) return pick([0, 0, 1, 20]) / (name.endsWith('_ms') ? 1 : 1e3);
  if (/^(cmd|command)$/.test(name)) return pick([...commands, ...words]);
  if (name === 'session_id') return pick(['1', '2', 1000, 'prey', ...words]);
  if (name === 'session') return below(6) === 0 ? pick(words) : pick(['prey', 'shell']);
  if (name === 'sessions') return random.list(3, () => pick(['prey', ...words]));
  if (name === 'cwd' || name === 'workdir') return pick(['/', '/nonexistent', ...words]);
  if (type === 'boolean') return below(2) === 0;
  if (name === 'cols' || name === 'rows') return pick([1, 7, 80, 80, ...numbers]);
  if (type === 'integer' || type === 'number') return pick(numbers);
  if (type === 'object') return { A: pick(words) };
  return pick([...words, ...odd]);
};

const isTime = (key: string) => /(_ms|_sec|timeout)$/.test(key);

const isImportant = (key: string) => /^(session|command|cmd|session_id)$/.test(key);

export const randomCall = ({ name, inputSchema }: AdvertisedTool, random: Random) => {
  const args: Record<string, unknown> = {};
  for (const [key, { type, enum: values }] of Object.entries(inputSchema.properties ?? {})) {
    // Always pass a time: the default waits are long.
    if (random.below(2) === 0 && !isImportant(key) && !isTime(key)) continue;
    const isListedValue = values !== undefined && random.below(30) > 0;
    args[key] = isListedValue ? random.pick(values) : randomArgument(key, [type].flat()[0], random);
  }
  if (random.below(30) === 0) args[random.pick(words)] = randomValue(random);
  return { method: 'tools/call', params: { name, arguments: args } };
};

const methods = [
  'tools/list tools/call prompts/list prompts/get resources/list resources/read resources/subscribe',
  'resources/unsubscribe resources/templates/list ping logging/setLevel completion/complete',
  'initialize server/discover subscriptions/listen tasks/get tasks/cancel roots/list constructor',
  'notifications/cancelled notifications/progress notifications/initialized __proto__ sampling/x',
].flatMap((line) => line.split(' '));

const uris = ['terminal://prey/screen', 'terminal://prey/text', 'terminal://x/state', 'file:///'];

const randomParams = (random: Random): unknown => {
  const { pick, below } = random;
  return pick<() => unknown>([
    () => randomValue(random),
    () => ({ uri: pick([...uris, ...words]) }),
    () => ({ name: pick(words), arguments: randomValue(random) }),
    () => ({ requestId: pick([1, 'x', below(3000), null]), reason: pick(words) }),
    () => ({ progressToken: pick([1, 'x']), progress: pick(numbers) }),
    () => ({ protocolVersion: pick(['2025-11-25', '1', '']), capabilities: {}, clientInfo: {} }),
    () => undefined,
  ])();
};

/** Valid or nearly valid JSON-RPC. */
export const randomMessage = (random: Random): object => {
  const { pick, below } = random;
  const id = pick([1, 1, 'x', null, -1, 0.5, 1e20, {}, below(3000)]);
  return pick<() => object>([
    () => ({ jsonrpc: '2.0', id, method: pick(methods), params: randomParams(random) }),
    () => ({ jsonrpc: '2.0', id, method: pick(methods), params: randomParams(random) }),
    () => ({ jsonrpc: '2.0', method: pick(methods), params: randomParams(random) }),
    () => ({ jsonrpc: '2.0', id, method: randomValue(random) }),
    () => ({ jsonrpc: '2.0', id, result: randomValue(random) }),
    () => ({ jsonrpc: '2.0', id, error: randomValue(random) }),
    () => ({ jsonrpc: pick(['1.0', 2, null]), id, method: pick(methods) }),
    () => [{ jsonrpc: '2.0', id, method: pick(methods) }],
    () => [],
  ])();
};

/** Text that is not a message, or only a part of one. */
export const randomGarbage = (random: Random): Buffer => {
  const { pick, below } = random;
  const whole = JSON.stringify(randomMessage(random));
  return Buffer.from(
    pick<() => string | Buffer>([
      () => whole.slice(0, below(whole.length)),
      () => Buffer.from(Array.from({ length: below(3000) }, () => below(256))),
      () => `${'['.repeat(50_000)}`,
      () => `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`,
      () => `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"method":"ping"}`,
      () => `\ufeff${whole}`,
      () => `${whole}${whole}`,
      () => 'x'.repeat(below(500_000)),
      () => `${whole}\r`,
      () => pick(['null', '7', '"x"', '{}', '[{}]', '{"a":', '\u0000', ' ', '\r']),
    ])() as string,
  );
};

/** Says what is wrong with the form of an answer. Undefined if nothing is. */
export const findFault = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null) return 'no object';
  const { jsonrpc, id, method, result, error } = answer as Record<string, unknown>;
  if (jsonrpc !== '2.0') return 'no version';
  if (typeof method === 'string') return undefined;
  if (typeof id !== 'string' && typeof id !== 'number' && id !== null) return 'no id';
  if ((result === undefined) === (error === undefined)) return 'neither result nor error';
  if (error !== undefined) return findErrorFault(error);
  return findResultFault(result);
};

const INTERNAL_ERROR = -32603;

const findErrorFault = (error: unknown): string | undefined => {
  const { code, message } = (error ?? {}) as Record<string, unknown>;
  if (!Number.isInteger(code) || code === INTERNAL_ERROR) return `code ${code}: ${message}`;
  return typeof message === 'string' && message.length < 2000 ? undefined : 'no short message';
};

/** A failed tool must report one of our error codes, never an internal failure. */
const findResultFault = (result: unknown): string | undefined => {
  const { isError, content } = (result ?? {}) as { isError?: boolean; content?: unknown[] };
  if (isError !== true) return undefined;
  const text = (content?.[0] as { text?: string } | undefined)?.text ?? '';
  return /failed inside Repartee/.test(text) ? text : undefined;
};
