/** Tells the demo to whoever watches: what was sent, what came back, the verdict, the milliseconds. */
import { colorsFor } from '../output/colors.ts';
import type { DemoToolResult } from './client.ts';
import type { DemoTurn } from './steps.ts';

const paint = colorsFor(process.stdout);
/** More of an answer than this hides the point. */
const MOST_LINES = 10;
const WIDEST = 100;

export const printLine = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

export const printTitle = (number: number, title: string): void => {
  printLine();
  printLine(` ${paint.cyan(String(number))}  ${paint.bold(title)}`);
};

export const printSent = ({ tool, args }: DemoTurn): void => {
  printLine(
    `    ${paint.blue('→')} ${tool} ${paint.dim(clipped(JSON.stringify(args), tool.length + 7))}`,
  );
};

export const printAnswer = (result: DemoToolResult, ms: number): void => {
  const { content, structuredContent } = result;
  if (structuredContent === undefined) {
    for (const line of fewLines(resultTextOf(result)))
      printLine(`    ${paint.red('←')} ${clipped(line, 6)}`);
    return;
  }
  const { output } = structuredContent;
  const said = typeof output === 'string' ? output : resultTextOf({ content });
  for (const line of fewLines(said)) printLine(`    ${paint.green('←')} ${clipped(line, 6)}`);
  const took = paint.yellow(`${Math.round(ms)} ms`);
  const dot = paint.dim('·');
  printLine(`      ${verdict(structuredContent)} ${dot} ${took}`);
  tellWhy(structuredContent);
};

/** Why it is known is said once of each kind. */
const reasons = new Set<unknown>();

const tellWhy = ({ state, because }: Answer): void => {
  if (state === 'exited' || because === undefined || reasons.has(because)) return;
  reasons.add(because);
  printLine(paint.dim(`      because ${because}`));
};

type Answer = Readonly<Record<string, unknown>>;

export const resultTextOf = ({ content }: Pick<DemoToolResult, 'content'>): string =>
  content.map(({ text = '' }) => text).join('\n');

const fewLines = (text: string): string[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… ${rest} more lines`] : lines;
};

/** In the words of the structured result, as the agent gets them. */
const verdict = ({ state, waiting_for, prompt, certainty, exit_code }: Answer): string => {
  if (exit_code !== undefined) return paint.magenta(`exited with code ${exit_code}`);
  const how = paint.dim(`(${certainty})`);
  if (state === 'working') return `${paint.yellow('still working')} ${how}`;
  const at = prompt === undefined ? '' : ` at ${JSON.stringify(prompt)}`;
  return `${paint.green(`waiting for a ${waiting_for}${at}`)} ${how}`;
};

const clipped = (line: string, indent: number): string => {
  const room = Math.min(process.stdout.columns ?? WIDEST, WIDEST) - indent;
  const characters = [...line];
  return characters.length > room ? `${characters.slice(0, room - 1).join('')}…` : line;
};
