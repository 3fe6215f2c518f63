/** Reads a recording: what a program put out, when its terminal was resized, what was to be seen. */
import { readdirSync, readFileSync } from 'node:fs';

type StreamEvent =
  | { output: string }
  | { input: string }
  | { resize: { cols: number; rows: number } }
  | { screen: string[]; cursor: { col: number; row: number } };

export interface Stream {
  name: string;
  /** The command line, and the size it started with. */
  run: string;
  cols: number;
  rows: number;
  events: StreamEvent[];
}

export const readStreams = (folder: string): Stream[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => {
      const [header, ...events] = readFileSync(`${folder}/${file}`, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      return { name: file.replace('.jsonl', ''), ...header, events };
    });
