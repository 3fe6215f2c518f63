import { expect, test } from 'vitest';
import { KeyboardHolders } from '../../../src/daemon/server/keyboard-holders.ts';

test('a keyboard is released by the last connection of its actor, also under a new name', () => {
  const holders = new KeyboardHolders<string>();
  holders.take('old', 'ann', 'first');
  holders.take('old', 'ann', 'second');
  holders.rename('old', 'new');
  holders.rename('nobody', 'else');
  expect(holders.release('first')).toEqual([]);
  expect(holders.release('second')).toEqual([{ session: 'new', actor: 'ann' }]);
});
