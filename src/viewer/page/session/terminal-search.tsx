import { useEffect, useRef, useState } from 'preact/hooks';
import type { PaneRef } from './use-terminal.ts';

/** Finds text on a terminal. */
export const TerminalSearch = ({ pane, onClose }: { pane: PaneRef; onClose(): void }) => {
  const field = useRef<HTMLInputElement>(null);
  const [isFound, setFound] = useState(true);
  const find = (direction: 'next' | 'previous') =>
    setFound(pane.current?.find(field.current?.value ?? '', direction) ?? true);
  useEffect(() => {
    field.current?.focus();
    return () => pane.current?.stopFinding();
  }, []);
  return (
    <search>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          find('next');
        }}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        <input
          ref={field}
          type="search"
          aria-label="Find on the terminal"
          placeholder="Find"
          onInput={() => find('next')}
        />
        <button type="button" onClick={() => find('previous')}>
          Previous
        </button>
        <button type="submit">Next</button>
        <span role="status">{isFound ? '' : 'not found'}</span>
        <span class="spacer" />
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </form>
    </search>
  );
};
