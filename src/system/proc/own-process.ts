/** Facts about our own process. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { O_CLOEXEC } from '../constants.ts';

/** Undefined before Linux 4.7. `process.umask` is no alternative: it changes the mask for a moment. */
export const ownUmask = (): number | undefined => {
  const [, mask] = /^Umask:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return mask === undefined ? undefined : Number.parseInt(mask, 8);
};

/** The file that a descriptor of ours refers to, such as "/dev/pts/3". */
export const ownDescriptorLink = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`);

/** A path below the folder that one of our descriptors refers to, however long that folder's own is. */
export const pathBelowDescriptor = (folder: number, name: string): string =>
  `/proc/self/fd/${folder}/${name}`;

/** Differs between containers, such as "pid:[4026531836]". Empty where the kernel does not say it. */
export const ownPidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
};

/** The descriptors above 2 that a child would inherit. Node's own have O_CLOEXEC, others may not. */
export const inheritableDescriptors = (): number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && isInheritable(fd));

export interface Mapping {
  address: bigint;
  bytes: number;
}

/** Where the program that we execute is mapped, and is as in its file. Empty where the kernel does not say it. */
export const ownProgramMappings = (): Mapping[] => {
  const mappings: Mapping[] = [];
  let found: Mapping | undefined;
  for (const line of readFileSync('/proc/self/smaps', 'latin1').split('\n')) {
    const [, from, to, file] =
      /^([0-9a-f]+)-([0-9a-f]+) r-[x-]p \S+ \S+ \S+\s+(.*)/.exec(line) ?? [];
    if (/^[0-9a-f]+-/.test(line)) found = undefined;
    if (file === process.execPath) {
      const address = BigInt(`0x${from}`);
      found = { address, bytes: Number(BigInt(`0x${to}`) - address) };
    }
    // What the linker has changed is no longer as in the file.
    if (found !== undefined && /^Anonymous:\s+0 kB/.test(line)) mappings.push(found);
  }
  return mappings;
};

const isInheritable = (fd: number): boolean => {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(info) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // This was the descriptor used to list the folder, which is closed by now.
    return false;
  }
};
