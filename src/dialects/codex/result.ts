/** The result of a call, as labelled text and as an object. */
import { shellExitStatus } from '../../system/process/describe-exit.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { TakenUnreadOutput } from '../shared/unread-output.ts';
import type { ToolResult } from '../tool.ts';
import { codexTokenCount, truncateInTheMiddle } from './truncate.ts';

export interface CodexReport {
  chunkId: string;
  wallMs: number;
  exit: Exit | undefined;
  sessionId: number;
  taken: TakenUnreadOutput;
  maxTokens: number;
}

export const codexResult = ({
  chunkId,
  wallMs,
  exit,
  sessionId,
  taken,
  maxTokens,
}: CodexReport): ToolResult => {
  const seconds = (Math.max(0, wallMs) / 1000).toFixed(4);
  const output = truncateInTheMiddle(taken, maxTokens);
  const count = codexTokenCount(taken.bytes);
  const lines = [
    `Chunk ID: ${chunkId}`,
    `Wall time: ${seconds} seconds`,
    exit === undefined
      ? `Process running with session ID ${sessionId}`
      : `Process exited with code ${shellExitStatus(exit) ?? UNKNOWN_EXIT_CODE}`,
    `Original token count: ${count}`,
    'Output:',
    output,
  ];
  return {
    text: lines.join('\n'),
    structured: {
      chunk_id: chunkId,
      wall_time_seconds: Number(seconds),
      ...(exit === undefined
        ? { session_id: sessionId }
        : { exit_code: shellExitStatus(exit) ?? UNKNOWN_EXIT_CODE }),
      original_token_count: count,
      output,
    },
  };
};

/** If it is not known how the program ended. */
const UNKNOWN_EXIT_CODE = -1;
