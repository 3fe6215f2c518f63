/** A page for one question alone: a secret, or an approval. Its link works once. */
import { useState } from 'preact/hooks';
import type { PagePurpose } from '../page-messages.ts';
import { Approval } from './approvals.tsx';
import { Notice } from './notice.tsx';
import { usePage, usePageState } from './page-context.ts';
import { SecretField } from './session/secret-field.tsx';

export const OnlyPage = ({ only }: { only: PagePurpose }) => {
  const { link } = usePage();
  const state = usePageState();
  const [done, setDone] = useState<string>();
  const finish = (message: string) => {
    link.end();
    setDone(message);
  };
  if (done !== undefined)
    return (
      <Notice title={done}>
        <p>You can close this page. The agent goes on by itself.</p>
      </Notice>
    );
  if (state.link.kind === 'lost')
    return (
      <Notice title="The connection was lost">
        <p>This link worked once, and cannot be used again. Let the agent ask anew.</p>
      </Notice>
    );
  if (only.kind === 'approve')
    return (
      <main class="only">
        <h1>An agent asks for your approval</h1>
        <Approval
          approval={only.approval}
          hasKeys={false}
          onAnswered={(answer) => finish(answer === 'refuse' ? 'Refused' : 'Allowed')}
        />
      </main>
    );
  const { session, state: situation } = only;
  return (
    <main class="only">
      <h1>A program asks for a secret</h1>
      <p>
        <strong>{situation?.foreground ?? 'A program'}</strong> in session{' '}
        <strong>{session}</strong> waits for it{situation?.prompt ? <> at this prompt:</> : '.'}
      </p>
      {situation?.prompt && <pre class="what">{situation.prompt}</pre>}
      <SecretField session={session} onTyped={() => finish('The secret was typed')} />
    </main>
  );
};
