import { describe } from 'vitest';
import { conversesWith } from './conversation.ts';
import { eras, overHttp } from './doors.ts';

describe.each(eras)('over HTTP, a client of %s', (era) => conversesWith(overHttp, era));
