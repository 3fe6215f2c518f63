import { describe, expect, test } from 'vitest';
import {
  parseCwd,
  parseProgress,
  parseShellMark,
} from '../../../src/screen/sequences/screen-events.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

describe('events', () => {
  test('shell marks come with the position right after them', () => {
    const { screen, write, events } = openScreen();
    write('\x1b]133;A\x07$ \x1b]133;B\x1b\\ls\r\n\x1b]133;C\x07out\r\n\x1b]133;D;2\x07');
    expect(events).toEqual([
      { type: 'mark', mark: 'prompt', position: 8 },
      { type: 'mark', mark: 'input', position: 19 },
      { type: 'mark', mark: 'output', position: 31 },
      { type: 'mark', mark: 'done', exitCode: 2, position: 46 },
    ]);
    expect(screen.marks.last).toEqual({ mark: 'done', exitCode: 2, position: 46 });
  });

  test('every switch of a mode causes an event, no matter which other modes are on', () => {
    const modes = {
      bracketedPaste: '2004',
      applicationCursor: '1',
      alternateScreen: '1049',
      cursorVisible: '25',
      focusEvents: '1004',
      synchronizedOutput: '2026',
      mouse: '1000',
    };
    for (const [name, number] of Object.entries(modes)) {
      for (const [other, otherNumber] of Object.entries(modes)) {
        if (other === name) continue;
        const { write, events } = openScreen();
        // The cursor is visible from the start, so it is hidden first.
        write(`\x1b[?25l\x1b[?${otherNumber}h`);
        events.length = 0;
        write(`\x1b[?${number}hx\x1b[?${number}l`);
        expect(events, `${name} beside ${other}`).toMatchObject([
          { mode: name, on: true },
          { mode: name, on: false },
        ]);
      }
    }
  });

  test('positions do not depend on how the output was cut', () => {
    const bytes = Buffer.from(
      'a\x1b]633;A\x07b\x1b]0;title\x1b\\c\x1b[?2004hd\x07e\x1b]7;file://h/tmp\x07',
    );
    const whole = openScreen();
    whole.screen.write(bytes);
    expect(whole.events.map(({ type, position }) => [type, position])).toEqual([
      ['mark', 9],
      ['title', 21],
      ['mode', 30],
      ['bell', 32],
      ['cwd', 50],
    ]);
    for (let at = 1; at < bytes.length; at++) {
      const { screen, events } = openScreen();
      screen.write(bytes.subarray(0, at));
      screen.write(bytes.subarray(at));
      expect(events, `cut at ${at}`).toEqual(whole.events);
    }
  });

  test('title, cwd and progress are remembered', () => {
    const { screen, write } = openScreen();
    write('\x1b]2;a title\x07\x1b]7;file://host/home/a%20b\x07\x1b]9;4;1;30\x07');
    expect(screen).toMatchObject({
      title: 'a title',
      cwd: '/home/a b',
      progress: { state: 'normal', percent: 30 },
    });
  });

  test('of a title a thousand characters are kept', () => {
    const { screen, events, write } = openScreen();
    write(`\x1b]2;${'x'.repeat(1001)}\x07`);
    expect(screen.title).toBe('x'.repeat(1000));
    expect(events).toMatchObject([{ type: 'title', title: screen.title }]);
  });

  test('a listener sees the screen as it is at the event', () => {
    const seen: string[] = [];
    const { screen, write } = openScreen({ onEvent: () => seen.push(screen.textBeforeCursor) });
    write('one\x1b]133;A\x07two\x07\x1b[?2004hthree');
    expect(seen).toEqual(['one', 'onetwo', 'onetwo']);
    expect(screen.textBeforeCursor).toBe('onetwothree');
  });

  test('output written by a listener comes after the output that was there', () => {
    const { screen, write, events } = openScreen({
      onEvent: (event) => {
        events.push(event);
        if (event.type === 'bell') write('\x1b[?25lthree');
      },
    });
    write('one\x07two');
    expect(screen.textBeforeCursor).toBe('onetwothree');
    expect(events.map(({ position }) => position)).toEqual([4, 13]);
  });

  test.each([
    ['A', { mark: 'prompt' }],
    ['A;cl=m;aid=1', { mark: 'prompt', aid: '1' }],
    ['B;aid=x;exit=3', { mark: 'input', aid: 'x', exitCode: 3 }],
    ['B;exit=$?', { mark: 'input' }],
    ['D', { mark: 'done', exitCode: undefined }],
    ['D;127;aid=1', { mark: 'done', exitCode: 127, aid: '1' }],
    ['D;not a number', { mark: 'done', exitCode: undefined }],
    ['P;k=i', undefined],
    ['E;echo', undefined],
    ['', undefined],
  ])('OSC 133 ; %s', (data, mark) => expect(parseShellMark(data)).toEqual(mark));

  test.each([
    ['file://host/tmp', '/tmp'],
    ['file:///with%20blank', '/with blank'],
    ['file://host/100%', '/100%'],
    ['/tmp', undefined],
    ['https://host/tmp', undefined],
  ])('OSC 7 ; %s', (data, cwd) => expect(parseCwd(data)).toBe(cwd));

  test.each([
    ['4;0', { state: 'none' }],
    ['4;1;55', { state: 'normal', percent: 55 }],
    ['4;2;300', { state: 'error', percent: 100 }],
    ['4;3', { state: 'indeterminate' }],
    ['4;9', undefined],
    ['a notification', undefined],
  ])('OSC 9 ; %s', (data, progress) => expect(parseProgress(data)).toEqual(progress));
});
