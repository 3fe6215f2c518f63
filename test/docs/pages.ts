/** The manual, taken apart: every page, its fenced blocks, its inline code, its links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Block {
  page: string;
  /** Of its opening fence, from 1. */
  line: number;
  language: string;
  text: string;
  /** What stands between it and the block or heading before. */
  introduction: string;
}

export interface Page {
  path: string;
  blocks: readonly Block[];
  /** Code within sentences and tables, in order. */
  inline: readonly string[];
  /** Targets of links to files of ours. */
  links: readonly string[];
}

const FENCED = /^( *)```(\w*)\n(.*?)^\1```$/gms;

export const readPage = (path: string): Page => {
  const text = readFileSync(join(root, path), 'utf8');
  const prose = text.replace(FENCED, '');
  const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
  return {
    path,
    blocks: blocksOf(path, text),
    inline: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!.replaceAll('\\|', '|')),
    links: links.filter((target) => !/^https?:/.test(target)),
  };
};

const blocksOf = (page: string, text: string): Block[] => {
  let end = 0;
  return [...text.matchAll(FENCED)].map(({ 0: whole, 2: language, 3: code, index }) => {
    const line = text.slice(0, index).split('\n').length;
    const introduction = text.slice(end, index).split(/^#.*$/m).at(-1)!.trim();
    end = index + whole.length;
    return { page, line, language: language!, text: code!, introduction };
  });
};

export const pages: readonly Page[] = [
  'README.md',
  'SKILL.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].map(readPage);

export const at = ({ page, line }: Block): string => `${page}:${line}`;
