/** What agents ask to do, answered with one key. */
import { useEffect, useState } from 'preact/hooks';
import type { ApprovalAnswer, ApprovalRequest } from '../../session/input/approval.ts';
import { useAsk, useNow, usePageState } from './page-context.ts';
import { hrefOf } from './route.ts';
import { describeDuration } from './words.ts';

const answerWords: Readonly<Record<ApprovalAnswer, { label: string; key: string }>> = {
  once: { label: 'Allow once', key: 'o' },
  session: { label: 'Allow in this session', key: 's' },
  rule: { label: 'Always allow', key: 'a' },
  refuse: { label: 'Refuse', key: 'n' },
};

export const ApprovalsPanel = ({ approvals }: { approvals: readonly ApprovalRequest[] }) => {
  const [first] = approvals;
  const ask = useAsk();
  const canAnswer = usePageState().hello?.canApprove === true;
  useEffect(() => {
    if (first === undefined || !canAnswer) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      // What is typed into a terminal or a field is not an answer.
      if (isTyping(event.target)) return;
      const answer = first.answers.find((each) => answerWords[each].key === event.key);
      if (answer === undefined) return;
      event.preventDefault();
      void ask('answer', { id: first.id, answer });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [first?.id, canAnswer]);
  return (
    <section class="approvals" aria-label="Approvals">
      {approvals.map((approval, index) => (
        <Approval key={approval.id} approval={approval} hasKeys={index === 0 && canAnswer} />
      ))}
    </section>
  );
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** As many lines as show what is asked. */
const SHOWN_ROWS = 8;

export const Approval = ({
  approval,
  hasKeys,
  onAnswered,
}: {
  approval: ApprovalRequest;
  hasKeys: boolean;
  onAnswered?: (answer: ApprovalAnswer) => void;
}) => {
  const { id, who, act, what, about, session, cwd, foreground, rule, why, doubt, screen } =
    approval;
  const ask = useAsk();
  const canAnswer = usePageState().hello?.canApprove === true;
  const [given, setGiven] = useState<ApprovalAnswer>();
  const leftMs = Date.parse(approval.expiresAt) - useNow(1000);
  const answer = async (chosen: ApprovalAnswer) => {
    setGiven(chosen);
    const done = await ask('answer', { id, answer: chosen });
    if (done === undefined) setGiven(undefined);
    else onAnswered?.(chosen);
  };
  const rows = screen?.trimEnd().split('\n').slice(-SHOWN_ROWS).join('\n');
  return (
    <article class="approval" aria-label={`${who} asks to ${act} in ${session}`}>
      <header>
        <strong>{who}</strong> asks to {act} in{' '}
        <a href={hrefOf({ view: 'session', session })}>{session}</a>
        {foreground !== undefined && <> to {foreground}</>}
        {cwd !== undefined && <span class="faint"> in {cwd}</span>}
      </header>
      <pre class="what">{what}</pre>
      <p class="faint">
        Rule {rule}: {why}
        {about !== what && <> · about {about}</>}
        {doubt !== undefined && <> · {doubt}</>}
      </p>
      {rows && (
        <details>
          <summary>What the session shows</summary>
          <pre>{rows}</pre>
        </details>
      )}
      <div class="actions">
        {canAnswer ? (
          approval.answers.map((each) => (
            <button
              type="button"
              key={each}
              class={each === 'refuse' ? 'plain' : each === 'once' ? 'primary' : ''}
              disabled={given !== undefined}
              onClick={() => void answer(each)}
            >
              {answerWords[each].label}
              {hasKeys && <kbd>{answerWords[each].key}</kbd>}
            </button>
          ))
        ) : (
          <span class="faint">A person answers with the full link, or `repartee approvals`.</span>
        )}
        <span class="faint">
          refused in {describeDuration(Math.max(0, leftMs)).replace(/\.\d/, '')}
        </span>
      </div>
    </article>
  );
};
