/**
 * Answers the queries that a program sends to its terminal.
 *
 * xterm answers DA1, DA2, DSR 5 and 6, DECRQM, DECRQSS and the size in characters itself. Here are
 * the queries that it ignores. An answer becomes input of the program, so it consists of fixed text
 * and our own numbers only: nothing that the program has printed may come back as input. Queries
 * whose answer would do that (title, answerback, clipboard, checksum of cells) are not answered.
 */
import type { Terminal } from '@xterm/headless';

const ESC = '\x1b';
const ST = `${ESC}\\`;

/** A cell in pixels. Nothing is drawn, so any common size will do. */
const CELL = { width: 8, height: 16 };

/** The answers to OSC 10, 11 and 12: light text on black, as most programs expect. */
const colours = new Map([
  [10, 0xe5e5e5],
  [11, 0x000000],
  [12, 0xe5e5e5],
]);

export function answerTerminalQueries(terminal: Terminal, reply: (answer: string) => void): void {
  const { parser } = terminal;
  terminal.onData(reply);

  // XTVERSION
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, (params) => {
    if (!params[0]) reply(`${ESC}P>|Repartee${ST}`);
    return true;
  });
  // Kitty keyboard: supported, with none of its flags switched on.
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
    reply(`${ESC}[?0u`);
    return true;
  });
  parser.registerCsiHandler({ final: 't' }, (params) => {
    const { width, height } = CELL;
    if (params[0] === 14 && !params[1]) {
      reply(`${ESC}[4;${terminal.rows * height};${terminal.cols * width}t`);
      return true;
    }
    if (params[0] === 16) reply(`${ESC}[6;${height};${width}t`);
    return params[0] === 16;
  });
  parser.registerOscHandler(4, (data) => {
    for (const [, index] of data.matchAll(/(?:^|;)(\d{1,3});\?(?=;|$)/g)) {
      if (Number(index) > 255) continue;
      reply(`${ESC}]4;${Number(index)};${rgb(indexedColour(Number(index)))}${ST}`);
    }
    return true;
  });
  for (const first of colours.keys()) {
    parser.registerOscHandler(first, (data) => {
      // "OSC 10 ; ? ; ?" queries 10 and 11.
      for (const [offset, field] of data.split(';').slice(0, colours.size).entries()) {
        const colour = colours.get(first + offset);
        if (field === '?' && colour !== undefined) {
          reply(`${ESC}]${first + offset};${rgb(colour)}${ST}`);
        }
      }
      return true;
    });
  }
}

const rgb = (colour: number): string => {
  const channel = (shift: number) =>
    ((colour >> shift) & 0xff).toString(16).padStart(2, '0').repeat(2);
  return `rgb:${channel(16)}/${channel(8)}/${channel(0)}`;
};

/** xterm's first sixteen colours. */
const ansiColours = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
  0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];
const cubeLevels = [0, 95, 135, 175, 215, 255];

/** 16 to 231 are a cube of 6 by 6 by 6. After it come 24 greys. */
function indexedColour(index: number): number {
  if (index < 16) return ansiColours[index]!;
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101;
  const at = index - 16;
  const [red, green, blue] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
  return (cubeLevels[red]! << 16) | (cubeLevels[green]! << 8) | cubeLevels[blue]!;
}
