import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { conversesWith } from '../../helpers/mcp/conversation.ts';
import { eras, overHttp } from '../../helpers/mcp/doors.ts';

describe.each(eras)('over HTTP, a client of %s', (era) => conversesWith(overHttp, era));

test('a port that another program has is an error that says what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await ownCli().run('mcp', '--embedded', '--http', String(port));
  other.close();
  expect(code).toBe(1);
  expect(stderr).toBe(
    `repartee: Nothing can be served at 127.0.0.1, port ${port}: another program has that port. Take another, or 0 for any that is free.\n`,
  );
});
