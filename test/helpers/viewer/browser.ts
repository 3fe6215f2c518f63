/** Debian's Chromium, and what a test does in it. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { until } from '../until.ts';

/** Nothing but the page may be asked for, and nothing kept. As root there is no sandbox. */
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

export const openBrowser = (executablePath = '/usr/bin/chromium'): Promise<Browser> =>
  chromium.launch({ executablePath, headless: true, args });

export interface TestPage {
  page: Page;
  /** Errors of scripts and refusals of the page's own policy. There should be none. */
  troubles: string[];
  /** What the terminal shows. */
  terminal(): Promise<string>;
  shows(text: string | RegExp): Promise<void>;
  terminalShows(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface TestPageOptions {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
}

export const openPage = async (
  browser: Browser,
  url: string,
  { width = 1280, height = 800, colorScheme = 'light' }: TestPageOptions = {},
): Promise<TestPage> => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(30_000);
  // The terminal is a picture: its text is there for screen readers alone.
  await context.addInitScript(() => localStorage.setItem('repartee-screen-reader', 'on'));
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy|nonce/i.test(message.text()))
      troubles.push(message.text());
  });
  await page.goto(url);
  // A space that cannot break stands for an empty cell.
  const terminal = async () =>
    (await page.locator('.xterm-accessibility-tree').allInnerTexts())
      .join('\n')
      .replaceAll('\xa0', ' ');
  return {
    page,
    troubles,
    terminal,
    shows: async (text) => {
      await page.getByText(text).first().waitFor();
    },
    terminalShows: (text) =>
      until(`the terminal shows ${text}`, async () => (await terminal()).includes(text)),
    close: () => context.close(),
  };
};
