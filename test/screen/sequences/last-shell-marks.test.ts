import { expect, test } from 'vitest';
import { openScreen } from '../../helpers/screen-fixture.ts';

const own = (mark: string) => `\x1b]133;${mark};aid=ours\x07`;

const screenAfter = (output: string) => {
  const { screen, write } = openScreen({ aid: 'ours' });
  write(output);
  return screen;
};

test('the prompt of the own shell begins at its mark, until a command runs', () => {
  const { length } = own('A');
  expect(screenAfter(`${own('A')}$ `).marks.ownPromptAt).toBe(length);
  expect(screenAfter(`${own('A')}$ ${own('B')}ls`).marks.ownPromptAt).toBe(length);
  expect(
    screenAfter(`${own('A')}$ ${own('B')}ls\r\n${own('C')}`).marks.ownPromptAt,
  ).toBeUndefined();
});

test('the start of a prompt that is drawn again is not known', () => {
  const drawnAgain = `${own('A')}$ ${own('B')}\r\n$ ${own('B')}`;
  expect(screenAfter(drawnAgain).marks.ownPromptAt).toBeUndefined();
  const { marks, position } = screenAfter(`${drawnAgain}${own('A')}`);
  expect(marks.ownPromptAt).toBe(position);
});

test('the marks of others move no prompt of the own shell', () => {
  const screen = screenAfter(`${own('A')}$ \x1b]133;A\x07\x1b]133;C;aid=theirs\x07`);
  expect(screen.marks.ownPromptAt).toBe(own('A').length);
  expect(screen.marks.own).toMatchObject({ mark: 'prompt' });
  expect(screen.marks.last).toMatchObject({ mark: 'output', aid: 'theirs' });
});
