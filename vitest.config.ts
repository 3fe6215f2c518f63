import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Our own SIGCHLD listener never fires in a worker thread, and node's pid table is per process.
    pool: 'forks',
    // Some tests start a process of their own that runs the package as built.
    globalSetup: ['test/helpers/build.ts', 'test/helpers/own-home.ts'],
    // For a test that hangs. On a machine that does ten things at once, each takes ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two processors, and most of a conversation is waiting.
    maxWorkers: 3,
    maxConcurrency: 4,
    // Debian's own programs before a version manager's shims, which are slow shell scripts.
    env: { PATH: `/usr/bin:/bin:${process.env.PATH}` },
  },
});
