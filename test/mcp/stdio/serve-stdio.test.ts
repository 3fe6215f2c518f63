import { describe } from 'vitest';
import { conversesWith } from '../../helpers/mcp/conversation.ts';
import { eras, overStdio } from '../../helpers/mcp/doors.ts';

describe.each(eras)('over stdio, a client of %s', (era) => conversesWith(overStdio, era));
