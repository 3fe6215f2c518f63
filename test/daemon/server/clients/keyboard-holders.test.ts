import { expect, test } from 'vitest';
import { KeyboardHolders } from '../../../../src/daemon/server/clients/keyboard-holders.ts';

test('a keyboard is released by the last connection of its actor, also under a new name', () => {
  const holders = new KeyboardHolders();
  holders.take('old', 'ann', 'first');
  holders.take('old', 'ann', 'second');
  holders.rename('old', 'new');
  holders.rename('nobody', 'else');
  expect(holders.release('first')).toEqual([]);
  expect(holders.release('second')).toEqual([{ session: 'new', actor: 'ann' }]);
});

test('a keyboard that was given back is not held by who had it before', () => {
  const holders = new KeyboardHolders();
  holders.take('a', 'Ada', 'one');
  holders.giveBack('a', 'one');
  holders.take('a', 'Ada', 'two');
  expect(holders.release('two')).toEqual([{ session: 'a', actor: 'Ada' }]);
});
