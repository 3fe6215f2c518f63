import { describe } from 'vitest';
import { conversesWith } from './conversation.ts';
import { eras, overStdio } from './doors.ts';

describe.each(eras)('over stdio, a client of %s', (era) => conversesWith(overStdio, era));
