/**
 * Puts the policy's questions to the client's user, in a form that the client shows (MCP elicitation).
 *
 * A 2025 client is asked while its call waits. A 2026 client gets the question as the result of its call, and
 * makes the call again with the answer (open-calls.ts).
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ApprovalRequest, AskUser, UserAnswer } from '../session/input/approval.ts';
import { describeApproval } from '../session/input/describe-approval.ts';

/** The client may answer a moment after the daemon has given up. */
const LATE_MS = 5000;

/** What a client says that it can do. One that says nothing of kinds has forms. */
const capabilities = z.object({
  elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial(),
});

/** `ofConnection`: what a 2025 client has said at its beginning. A 2026 client says it with each request. */
export const canElicit = (
  { envelope = {} }: ServerContext['mcpReq'],
  ofConnection: unknown,
): boolean => {
  const said = Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY) ?? ofConnection;
  const { elicitation } = capabilities.safeParse(said).data ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
};

const meanings: Readonly<Record<UserAnswer, string>> = {
  once: 'Allow this time',
  session: 'Allow the same again in this session',
  refuse: 'Refuse',
};

export const approvalForm = (request: ApprovalRequest): ElicitRequestFormParams => ({
  mode: 'form',
  message: `${describeApproval(request)}\n\nMay it?`,
  requestedSchema: {
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        title: 'Answer',
        oneOf: request.answers
          .filter((answer) => answer !== 'rule')
          .map((answer) => ({ const: answer, title: meanings[answer] })),
      },
    },
    required: ['answer'],
  },
});

const formResult = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: z.object({ answer: z.string() }) }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
]);

/** Undefined if the user has closed the form, or the client has not shown it. */
export const answerInForm = (result: unknown): UserAnswer | undefined => {
  const { data } = formResult.safeParse(result);
  if (data?.action === 'decline') return 'refuse';
  if (data?.action !== 'accept') return undefined;
  return (Object.keys(meanings) as UserAnswer[]).find((each) => each === data.content.answer);
};

/** For a 2025 client. */
export const askInCall =
  ({ elicitInput, id }: ServerContext['mcpReq']): AskUser =>
  async (request, signal) => {
    const timeout = Math.max(0, Date.parse(request.expiresAt) - Date.now()) + LATE_MS;
    return answerInForm(
      await elicitInput(approvalForm(request), { signal, timeout, relatedRequestId: id }),
    );
  };
