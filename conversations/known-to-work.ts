/** docs/reference/known-to-work.md, made from the conversations themselves. */
import type { Conversation, Step } from './conversation.ts';

const isCertain = ({ expect }: Step) => !('for' in expect) || expect.certainty === undefined;
const isPromptOfShell = ({ expect }: Step) => 'for' in expect && expect.for === 'command';

/** Where SPEC's rule can hold at all: not behind a socket, and no shell's prompt without marks. */
const isLocal = ({ kind }: Conversation) => kind !== 'remote';

export const knownToWork = (conversations: readonly Conversation[]): string => {
  const kinds = [...new Set(conversations.map(({ kind }) => kind))];
  const steps = conversations.flatMap((conversation) => conversation.steps);
  const local = conversations
    .filter(isLocal)
    .flatMap((conversation) => conversation.steps)
    .filter((step) => !isPromptOfShell(step));
  const certain = local.filter(isCertain).length;
  return [
    '# Known to work',
    '',
    '`npm test` talks to every program here: it types, and checks that the program is waiting, working or exited as it should be. The steps are in `conversations/`.',
    '',
    `${conversations.length} conversations, ${steps.length} checkpoints. Of the ${local.length} local ones that are not a shell's prompt, ${certain} (${Math.round((certain / local.length) * 100)} %) are certain.`,
    '',
    '| kind | conversations |',
    '|---|---|',
    ...kinds.map((kind) => `| ${kind} | ${namesOf(conversations, kind).join(' · ')} |`),
    '',
    '## Where a verdict is not certain, and why',
    '',
    '| conversation | reason |',
    '|---|---|',
    ...conversations.flatMap(({ name, steps }) =>
      [...new Set(steps.flatMap(reasonOf))].map((why) => `| ${name} | ${why} |`),
    ),
    '',
  ].join('\n');
};

const namesOf = (conversations: readonly Conversation[], kind: string): string[] =>
  conversations.filter((conversation) => conversation.kind === kind).map(({ name }) => name);

const reasonOf = ({ expect }: Step): string[] => {
  const why = 'for' in expect ? expect.why : 'working' in expect ? expect.orGuess : undefined;
  return why === undefined ? [] : [why];
};
