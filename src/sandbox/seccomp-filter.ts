/**
 * A program for the kernel (seccomp, classic BPF) that refuses calls which reach out of a sandbox that has
 * our terminal: TIOCSTI and TIOCLINUX put characters into a terminal's input, where a program outside may
 * read them; keys of the kernel's key rings belong to the user, not to the sandbox.
 *
 * seccomp(2) describes the data that it is given: the number of the call at 0, the architecture at 4, the
 * low half of the second argument at 24. The kernel looks at that half alone, so we do as well.
 */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const SECOND_ARGUMENT_AT = 24;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const EPERM = 1;
const REFUSE = 0x00050000 | EPERM;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** From linux/audit.h, and the numbers of ioctl, add_key, request_key and keyctl there. */
interface CallNumbers {
  architecture: number;
  ioctl: number[];
  keys: number[];
}

/** The second ABI of x86_64 has the same architecture, and this bit in its numbers. */
const X32 = 0x40000000;

const architectures: Readonly<Record<string, readonly CallNumbers[]>> = {
  x64: [
    {
      architecture: 0xc000003e,
      ioctl: [16, X32 + 514],
      keys: [248, 249, 250, X32 + 248, X32 + 249, X32 + 250],
    },
    { architecture: 0x40000003, ioctl: [54], keys: [286, 287, 288] },
  ],
  arm64: [
    { architecture: 0xc00000b7, ioctl: [29], keys: [217, 218, 219] },
    { architecture: 0x40000028, ioctl: [54], keys: [309, 310, 311] },
  ],
};

interface Instruction {
  code: number;
  /** How many instructions are skipped. */
  ifTrue?: number;
  ifFalse?: number;
  operand: number;
}

const load = (operand: number): Instruction => ({ code: LOAD_WORD, operand });
const give = (operand: number): Instruction => ({ code: RETURN, operand });
const ifEqual = (operand: number, ifTrue: number, ifFalse: number): Instruction => ({
  code: JUMP_IF_EQUAL,
  operand,
  ifTrue,
  ifFalse,
});

/** Undefined on a machine that we do not know. */
export const seccompFilter = (arch: string): Buffer | undefined => {
  const known = architectures[arch];
  if (known === undefined) return undefined;
  const program = [
    load(ARCHITECTURE_AT),
    ...known.flatMap((numbers) => {
      const part = forArchitecture(numbers);
      return [ifEqual(numbers.architecture, 0, part.length), ...part];
    }),
    give(REFUSE),
  ];
  return Buffer.concat(program.map(encode));
};

const forArchitecture = ({ ioctl, keys }: CallNumbers): Instruction[] => {
  const checkRequest = [
    load(SECOND_ARGUMENT_AT),
    ifEqual(TIOCSTI, 2, 0),
    ifEqual(TIOCLINUX, 1, 0),
    give(ALLOW),
    give(REFUSE),
  ];
  // To the last instruction, which refuses; to the first of `checkRequest`; else one after another, and
  // past those to the one that allows.
  const calls = [...keys, ...ioctl];
  const jumps = calls.map((number, at) => {
    const left = calls.length - at - 1;
    return ifEqual(number, keys.includes(number) ? left + checkRequest.length : left + 1, 0);
  });
  return [load(NUMBER_AT), ...jumps, give(ALLOW), ...checkRequest];
};

const encode = ({ code, ifTrue = 0, ifFalse = 0, operand }: Instruction): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
};
