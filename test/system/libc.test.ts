import { afterEach, expect, test, vi } from 'vitest';

const original = { platform: process.platform, arch: process.arch };

const pretend = (machine: { platform: string; arch: string }) => {
  for (const [name, value] of Object.entries(machine)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
};

afterEach(() => pretend(original));

test.each([
  ['darwin', 'arm64'],
  ['win32', 'x64'],
  ['linux', 'riscv64'],
])(
  'on %s %s the package can be imported, and opening is refused in plain words',
  async (platform, arch) => {
    vi.resetModules();
    pretend({ platform, arch });
    const { openPty } = await import('../../src/index.ts');
    const attempt = openPty({
      program: 'sh',
      args: [],
      cwd: '/',
      env: {},
      cols: 80,
      rows: 24,
      onOutput: () => {},
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'UNSUPPORTED_PLATFORM',
      details: { platform, arch },
      message: expect.stringContaining('Linux'),
    });
  },
);
