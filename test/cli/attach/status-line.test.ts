import { describe, expect, test } from 'vitest';
import { type StatusFacts, statusLine } from '../../../src/cli/attach/status-line.ts';

const facts: StatusFacts = {
  session: 'db',
  situation: {
    session: 'db',
    state: 'waiting',
    waitingFor: 'line',
    prompt: 'postgres=# ',
    certainty: 'certain',
    because: '',
    foreground: 'psql',
  },
  isReadOnly: false,
  hasKeyboard: false,
  isAfterPrefix: false,
};

describe('the status line', () => {
  test('names the session, whose turn it is, who has the keyboard, and the keys', () => {
    expect(statusLine(facts, 120).trimEnd()).toBe(
      ' db | psql waiting for a line | everybody can type | Ctrl-\\ d detaches | t takes the keyboard | s hides this line',
    );
    expect(statusLine({ ...facts, hasKeyboard: true }, 120)).toContain(
      'you have the keyboard | Ctrl-\\ d detaches | t gives the keyboard back',
    );
    expect(statusLine({ ...facts, holder: 'ann on pts/3' }, 120)).toContain(
      'ann on pts/3 has the keyboard',
    );
    expect(statusLine({ ...facts, isReadOnly: true }, 120)).toContain('you look on | q leaves');
  });

  test('has the width of the window: the keys go first, and at last the state is cut', () => {
    for (let cols = 1; cols <= 130; cols++) expect(statusLine(facts, cols)).toHaveLength(cols);
    expect(statusLine(facts, 60)).toMatch(
      /^ db \| psql waiting for a line \| everybody can type +$/,
    );
    expect(statusLine(facts, 20)).toBe(' db | psql waiting …');
  });

  test('after Ctrl-\\ lists the keys that may follow', () => {
    expect(statusLine({ ...facts, isAfterPrefix: true }, 120)).toMatch(
      /^ Ctrl-\\ … \| d detaches \| t .* \| s .* \| Ctrl-\\ types it +$/,
    );
  });

  test('shows nothing that a program has chosen as a control sequence', () => {
    const situation = { ...facts.situation!, foreground: 'a\x1b[2Jb\u202ec' };
    expect(statusLine({ ...facts, situation }, 80)).toMatch(/^ db \| a␛\[2Jbc waiting/);
  });
});
