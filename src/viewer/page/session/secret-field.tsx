/** Takes a secret and types it into a session. Nothing of it stays on the page. */
import { useRef, useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';

export const SecretField = ({
  session,
  onTyped = () => {},
}: {
  session: string;
  onTyped?: () => void;
}) => {
  const { link, say } = usePage();
  // No state of the component has it: only the field itself, which is emptied at once.
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const value = field.current?.value ?? '';
    if (field.current !== null) field.current.value = '';
    if (value === '') return;
    setBusy(true);
    try {
      await link.request('typeSecret', { session, value });
      say('The secret was typed.');
      onTyped();
    } catch (error) {
      say((error as Error).message, 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="secret" onSubmit={submit} autocomplete="off">
      <label>
        <span>Secret for {session}</span>
        <input
          ref={field}
          type="password"
          autocomplete="off"
          data-1p-ignore
          data-lpignore="true"
          spellcheck={false}
          disabled={isBusy}
        />
      </label>
      <button type="submit" class="primary" disabled={isBusy}>
        Type it
      </button>
      <p class="faint">
        It goes to the program, with Enter. It is not shown, recorded or told to the agent, and is
        masked if the program prints it.
      </p>
    </form>
  );
};
