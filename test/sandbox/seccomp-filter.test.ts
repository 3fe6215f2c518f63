import { expect, test } from 'vitest';
import { seccompFilter } from '../../src/sandbox/seccomp-filter.ts';

const EPERM = 0x50001;
const ALLOW = 0x7fff0000;
const X86_64 = 0xc000003e;
const I386 = 0x40000003;
const AARCH64 = 0xc00000b7;
const ARM = 0x40000028;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const TIOCGWINSZ = 0x5413;

/** What the kernel does with the program: see bpf(2) and linux/filter.h. */
const interpret = (program: Buffer, data: Readonly<Record<number, number>>): number => {
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = program.readUInt16LE(at);
    const operand = program.readUInt32LE(at + 4);
    if (code === 0x20) accumulator = data[operand]!;
    else if (code === 0x15) at += 8 * program.readUInt8(at + (accumulator === operand ? 2 : 3));
    else if (code === 0x06) return operand;
    else throw new Error(`There is no instruction ${code} here.`);
  }
  throw new Error('It has no end.');
};

const decide = (arch: string, architecture: number, call: number, request = 0): number =>
  interpret(seccompFilter(arch)!, { 0: call, 4: architecture, 24: request });

test.each<
  [what: string, arch: string, architecture: number, call: number, request: number, number]
>([
  ['TIOCSTI', 'x64', X86_64, 16, TIOCSTI, EPERM],
  ['TIOCLINUX', 'x64', X86_64, 16, TIOCLINUX, EPERM],
  ['TIOCSTI of x32', 'x64', X86_64, 0x40000000 + 514, TIOCSTI, EPERM],
  ['TIOCSTI of a 32-bit program', 'x64', I386, 54, TIOCSTI, EPERM],
  ['keyctl', 'x64', X86_64, 250, 0, EPERM],
  ['keyctl of a 32-bit program', 'x64', I386, 288, 0, EPERM],
  ['the size of the terminal', 'x64', X86_64, 16, TIOCGWINSZ, ALLOW],
  ['read', 'x64', X86_64, 0, TIOCSTI, ALLOW],
  ['number 54 where it is no ioctl', 'x64', X86_64, 54, TIOCSTI, ALLOW],
  ['an unknown architecture', 'x64', AARCH64, 0, 0, EPERM],
  ['TIOCSTI', 'arm64', AARCH64, 29, TIOCSTI, EPERM],
  ['TIOCLINUX of a 32-bit program', 'arm64', ARM, 54, TIOCLINUX, EPERM],
  ['add_key', 'arm64', AARCH64, 217, 0, EPERM],
  ['the size of the terminal', 'arm64', AARCH64, 29, TIOCGWINSZ, ALLOW],
  ['read', 'arm64', AARCH64, 63, 0, ALLOW],
])('%s on %s (%i, call %i, %i): %i', (_what, arch, architecture, call, request, expected) => {
  expect(decide(arch, architecture, call, request)).toBe(expected);
});

test('there is no filter for other machines', () => {
  expect(seccompFilter('riscv64')).toBeUndefined();
});
