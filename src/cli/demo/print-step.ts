/** Prints the demo: each call, its result, the verdict and the milliseconds. */
import { textColorsFor } from '../output/colors.ts';
import type { DemoToolResult } from './demo-client.ts';
import type { DemoTurn } from './demo-steps.ts';

const paint = textColorsFor(process.stdout);
/** More lines of a result would hide the point. */
const MAX_LINES = 10;
const MAX_COLS = 100;

export const printDemoLine = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

export const printDemoTitle = (number: number, title: string): void => {
  printDemoLine();
  printDemoLine(` ${paint.cyan(String(number))}  ${paint.bold(title)}`);
};

export const printDemoCall = ({ tool, args }: DemoTurn): void => {
  printDemoLine(
    `    ${paint.blue('→')} ${tool} ${paint.dim(clip(JSON.stringify(args), tool.length + 7))}`,
  );
};

export const printDemoResult = (result: DemoToolResult, ms: number): void => {
  const { content, structuredContent } = result;
  if (structuredContent === undefined) {
    for (const line of firstLines(demoResultText(result)))
      printDemoLine(`    ${paint.red('←')} ${clip(line, 6)}`);
    return;
  }
  const { output } = structuredContent;
  const text = typeof output === 'string' ? output : demoResultText({ content });
  for (const line of firstLines(text)) printDemoLine(`    ${paint.green('←')} ${clip(line, 6)}`);
  const took = paint.yellow(`${Math.round(ms)} ms`);
  const dot = paint.dim('·');
  printDemoLine(`      ${verdict(structuredContent)} ${dot} ${took}`);
  printReason(structuredContent);
};

type StructuredContent = NonNullable<DemoToolResult['structuredContent']>;

const printedReasons = new Set<unknown>();

/** Prints each kind of reason for a verdict once. */
const printReason = ({ state, because }: StructuredContent): void => {
  if (state === 'exited' || because === undefined || printedReasons.has(because)) return;
  printedReasons.add(because);
  printDemoLine(paint.dim(`      because ${because}`));
};

export const demoResultText = ({ content }: Pick<DemoToolResult, 'content'>): string =>
  content.map(({ text = '' }) => text).join('\n');

const firstLines = (text: string): string[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rest = lines.length - MAX_LINES;
  return rest > 0 ? [...lines.slice(0, MAX_LINES), `… ${rest} more lines`] : lines;
};

/** In the words of the structured result, which the agent gets too. */
const verdict = ({
  state,
  waiting_for,
  prompt,
  certainty,
  exit_code,
}: StructuredContent): string => {
  if (exit_code !== undefined) return paint.magenta(`exited with code ${exit_code}`);
  const how = paint.dim(`(${certainty})`);
  if (state === 'working') return `${paint.yellow('still working')} ${how}`;
  const at = prompt === undefined ? '' : ` at ${JSON.stringify(prompt)}`;
  return `${paint.green(`waiting for a ${waiting_for}${at}`)} ${how}`;
};

const clip = (line: string, indent: number): string => {
  const width = Math.min(process.stdout.columns ?? MAX_COLS, MAX_COLS) - indent;
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
};
