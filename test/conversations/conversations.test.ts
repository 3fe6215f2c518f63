import { describe, expect } from 'vitest';
import { hold } from '../../conversations/hold.ts';
import { conversations } from '../../conversations/index.ts';
import { asRoot, testWith } from '../helpers/needs.ts';

describe.concurrent('a conversation with', () => {
  for (const conversation of conversations) {
    const testIt = testWith(...conversation.needs);
    (conversation.asRoot ? asRoot(testIt) : testIt)(
      conversation.name,
      async () => {
        const checkpoints = await hold(conversation);
        const problems = checkpoints.flatMap(({ step, problem }) =>
          problem ? [`step ${step}: ${problem}`] : [],
        );
        expect(problems).toEqual([]);
        expect(checkpoints).toHaveLength(conversation.steps.length);
      },
      60_000,
    );
  }
});
