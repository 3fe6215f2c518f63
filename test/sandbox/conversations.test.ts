/**
 * The conversations in the profile `workspace`, with the same verdicts. `npm test` holds a sample;
 * `SANDBOX=all` all of them, except those that need what a sandbox takes away.
 */
import { describe, expect } from 'vitest';
import type { Conversation } from '../../conversations/conversation.ts';
import { hold } from '../../conversations/hold.ts';
import { conversations } from '../../conversations/index.ts';
import { testWith } from '../helpers/needs.ts';

const SAMPLE: readonly string[] = [
  'bash',
  'zsh',
  'python3',
  'node',
  'gdb',
  'vim',
  'less',
  'sqlite3',
];

/** What a sandbox does not allow. */
const REFUSED: readonly string[] = ['unshare'];

/** Scenes are servers and users outside, which cannot be reached. */
const isPossible = ({ name, scene, asRoot }: Conversation) =>
  scene === undefined && !asRoot && !REFUSED.includes(name);

const chosen = conversations
  .filter(isPossible)
  .filter(({ name }) => process.env.SANDBOX === 'all' || SAMPLE.includes(name));

describe.concurrent('in a sandbox, a conversation with', () => {
  for (const conversation of chosen)
    testWith('bwrap', ...conversation.needs)(
      conversation.name,
      async () => {
        const checkpoints = await hold(conversation, { sandbox: 'workspace' });
        const problems = checkpoints.flatMap(({ step, problem }) =>
          problem ? [`step ${step}: ${problem}`] : [],
        );
        expect(problems).toEqual([]);
        expect(checkpoints).toHaveLength(conversation.steps.length);
      },
      60_000,
    );
});
