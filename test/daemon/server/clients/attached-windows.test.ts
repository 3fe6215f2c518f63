import { expect, test } from 'vitest';
import { AttachedWindows } from '../../../../src/daemon/server/clients/attached-windows.ts';

const current = { cols: 120, rows: 40 };
const wide = { cols: 200, rows: 20 };
const tall = { cols: 80, rows: 60 };

const windowsOf = (rule?: 'smallest' | 'latest') => {
  const windows = new AttachedWindows();
  const sizes = [
    windows.attach('s', 'ann', { window: wide, rule, current }),
    windows.attach('s', 'bob', { window: tall, rule: undefined, current: wide }),
  ];
  return { windows, sizes };
};

test('by default the session has the size of the window that was used last', () => {
  const { windows, sizes } = windowsOf();
  expect(sizes).toEqual([wide, tall]);
  expect(windows.use('s', 'bob')).toBeUndefined();
  expect(windows.use('s', 'ann')).toEqual(wide);
  expect(windows.use('s', 'ann')).toBeUndefined();
  expect(windows.attach('s', 'bob', { window: tall, rule: undefined, current: wide })).toEqual(
    tall,
  );
  expect(windows.detach('s', 'bob')).toEqual(wide);
  expect(windows.detach('s', 'ann')).toEqual(current);
});

test('by the rule of the smallest it fits into all windows', () => {
  const { windows, sizes } = windowsOf('smallest');
  const both = { cols: 80, rows: 20 };
  expect(sizes).toEqual([wide, both]);
  expect(windows.use('s', 'ann')).toEqual(both);
  expect(windows.detach('s', 'ann')).toEqual(tall);
  expect(windows.release('bob')).toEqual([{ session: 's', size: current }]);
  // The rule has gone with the last window.
  windows.attach('s', 'ann', { window: wide, rule: undefined, current });
  expect(windows.attach('s', 'bob', { window: tall, rule: undefined, current })).toEqual(tall);
});

test('it returns to the size that was asked for meanwhile, also under another name', () => {
  const { windows } = windowsOf();
  windows.setOwnSize('s', { cols: 90, rows: 30 });
  windows.rename('s', 'new');
  expect(windows.detach('s', 'ann')).toBeUndefined();
  expect(windows.release('bob')).toEqual([{ session: 'new', size: wide }]);
  expect(windows.detach('new', 'ann')).toEqual({ cols: 90, rows: 30 });
});

test('who is not attached changes nothing, and a closed session is forgotten', () => {
  const { windows } = windowsOf();
  expect(windows.use('s', 'eve')).toBeUndefined();
  expect(windows.detach('s', 'eve')).toBeUndefined();
  expect(windows.release('eve')).toEqual([]);
  windows.forget('s');
  expect(windows.release('ann')).toEqual([]);
});
