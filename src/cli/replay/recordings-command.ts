import { plainText } from '../../plain-text.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { textColorsFor } from '../output/colors.ts';
import { formatRoughDuration } from '../output/durations.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { formatTable } from '../output/table.ts';
import { UsageError } from '../parse-args.ts';
import type { RecordingFacts } from './list-recordings.ts';

export const recordingsCommand = defineCommand({
  name: 'recordings',
  summary: 'list the recordings of sessions, also of those that are closed',
  words: [{ usage: '[NAME]', recordings: true }],
  options: {
    long: { description: 'also the file of each, which `replay` plays' },
    ...jsonOption,
  },
  notes: [
    'NAME is a session: only its recordings are listed. The newest comes first.',
    '`repartee replay NAME` plays the newest of a session.',
  ],
  examples: [
    ['repartee recordings', ''],
    ['repartee recordings bash --long', 'those of session bash, with their files'],
  ],
  async run({ values, words: [name, ...more] }) {
    if (more.length > 0) throw new UsageError('Of which session? For example: recordings bash');
    const { findRecordings, readFacts } = await import('./list-recordings.ts');
    const found = findRecordings().filter(
      ({ session, recordedAs }) => name === undefined || name === session || name === recordedAs,
    );
    const facts = await Promise.all(found.map(readFacts));
    const recordings = facts.filter((each) => each !== undefined);
    if (values.json) printJson({ recordings: recordings.map(onWire) });
    else if (recordings.length === 0)
      printRemark(name === undefined ? '[no recordings]' : `[no recordings of ${name}]`);
    else printText(recordingTable(recordings, values.long));
    return 0;
  },
});

const onWire = ({
  session,
  isOpen,
  startedMs,
  lengthMs,
  bytes,
  command,
  files,
}: RecordingFacts) => ({
  session,
  open: isOpen,
  started: new Date(startedMs).toISOString(),
  length_ms: lengthMs,
  bytes,
  command,
  files,
});

const recordingTable = (recordings: readonly RecordingFacts[], long: boolean): string => {
  const paint = textColorsFor(process.stdout);
  return formatTable(
    ['WHEN', 'SESSION', 'LENGTH', 'SIZE', '', 'COMMAND', ...(long ? ['FILE'] : [])],
    recordings.map(({ session, isOpen, startedMs, lengthMs, bytes, command = '', files }) => [
      localTime(startedMs),
      paint.bold(session),
      formatRoughDuration(lengthMs),
      `${Math.ceil(bytes / 1024)} KiB`,
      isOpen ? 'open' : '',
      plainText(command, long ? undefined : MAX_COMMAND_LENGTH),
      ...(long ? [files[0] ?? ''] : []),
    ]),
    paint.dim,
  );
};

/** A row fits into most windows. */
const MAX_COMMAND_LENGTH = 60;

/** 2026-11-15 05:18:22, as clocks here show it. */
const localTime = (ms: number): string => {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${day} ${time}`;
};
