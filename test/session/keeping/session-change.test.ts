import { describe, expect, test } from 'vitest';
import { ownCaller } from '../../../src/session/caller.ts';
import {
  changeIn,
  encodeChange,
  keptRecords,
  type SessionChange,
} from '../../../src/session/keeping/session-change.ts';
import { forSeeds } from '../../helpers/seeded.ts';

const recordOf = ({ attachments, ...change }: SessionChange) => ({
  type: keptRecords.change,
  bytes: Buffer.from(encodeChange(change, attachments)),
});
const noted = (change: SessionChange) => changeIn(recordOf(change));

/** With all that there can be: the types say so. */
const full: Required<SessionChange> = {
  delivered: 2 ** 40,
  isHolding: true,
  isExitReported: true,
  secret: 'open sesame 42',
  input: {
    position: 9112,
    at: 1795027861507.8064,
    typed: {
      text: 'é',
      entered: '1001+1',
      prompt: { text: '>>> ', isLikelyLine: true },
      enters: 1,
    },
    unfinishedBytes: 3,
    keyboardHolder: 'me',
    lineReader: 'python3',
    gate: '{"held":"x"}',
    lastCaller: ownCaller('cli', { name: 'a client', version: '1' }),
    lastPrompt: { position: -1, isSecret: true },
  } satisfies Required<SessionChange['input']>,
  echo: {
    expected: ['1001+1', '', 'ünï 👩‍💻 漢'],
    firstLine: { id: 1052, position: 9108, text: '>>> ', right: '[12:00]' },
    lastPrompt: '>>> ',
    linesLeft: 3,
    hasBlanks: true,
    second: { prompt: '$ ', lines: ['a', 'b'], linesLeft: 64 },
    isUnanswered: true,
    paste: { lines: 2, from: 17 },
  } satisfies Required<SessionChange['echo']>,
  reads: [
    {
      reader: 'agent',
      request: { view: 'diff', maxTokens: 10_000, from: 4, advance: true, search: 'x' },
      verdict: { state: 'waiting', prompt: '>>> ' },
    },
    { reader: '漢', request: { view: 'raw', maxTokens: 1 }, verdict: { state: 'exited' } },
  ],
  lastPrompt: {
    position: 9130,
    isSecret: false,
    program: 'python3',
    prompt: { text: '>>> ', isLikelyLine: false },
  },
  attachments: [
    ['request a 1', '{"id":1}'],
    ['windows', { cols: 80, rows: [1, 2] }],
    ['keyboard', null],
    ['separators', { text: 'a\0b=' }],
  ],
};

describe('a change is noted as it is', () => {
  test('with all that there can be', () => {
    expect(noted(full)).toEqual(full);
  });

  test('with as little as there can be', () => {
    expect(noted({ delivered: 5 })).toEqual({ delivered: 5 });
    expect(noted({ delivered: 5, lastPrompt: undefined })).toEqual({ delivered: 5 });
  });
});

test('a change that a version before has noted, as JSON, is read', () => {
  const bytes = Buffer.from(JSON.stringify(full));
  expect(changeIn({ type: keptRecords.changeOfFormat2, bytes })).toEqual(full);
});

test('another record is no change', () => {
  expect(changeIn({ type: keptRecords.replySettled, bytes: Buffer.alloc(0) })).toBeUndefined();
});

test('whatever is damaged in a change, it is a change or refused', () => {
  forSeeds(200, ({ below }) => {
    const { bytes } = recordOf(full);
    const record = bytes.subarray(0, 1 + below(bytes.length));
    record[below(record.length)] = below(256);
    try {
      changeIn({ type: keptRecords.change, bytes: record });
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  });
});
