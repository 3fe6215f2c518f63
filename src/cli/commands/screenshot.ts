import { extname } from 'node:path';
import { PictureTooLarge } from '../../errors.ts';
import type { SessionResult } from '../../session/sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { writePicture } from '../output/write-picture.ts';
import { UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee screenshot vim vim.png';

/** So that the agent's reader stays where it is. */
const READER = 'screenshot';

export const screenshotCommand = defineCommand({
  name: 'screenshot',
  summary: "draw a session's screen into a file, as a person would see it",
  words: [
    { usage: 'NAME', sessions: true },
    { usage: 'FILE.png|FILE.svg', paths: 'files' },
  ],
  options: jsonOption,
  notes: ['Takes nothing away from the agent, which reads on where it was.'],
  examples: [
    ['repartee screenshot htop htop.png', ''],
    ['repartee screenshot htop htop.svg', 'letters stay letters, and can be searched'],
  ],
  async run({ values, words: [session, file, ...more] }) {
    if (session === undefined || file === undefined || more.length > 0)
      throw new UsageError(`Give a session and a file. ${EXAMPLE}`);
    const draw = drawings[extname(file).toLowerCase()];
    if (draw === undefined) throw new UsageError(`A picture is .png or .svg. ${EXAMPLE}`);
    const { screen, picture } = await withDaemonOfSession(session, (sessions) =>
      sessions.read(session, { view: 'image' }, { reader: READER }),
    );
    if (picture === undefined) throw new PictureTooLarge(screen?.cols ?? 0, screen?.rows ?? 0);
    return writePicture(file, await draw(picture), values);
  },
});

type Picture = NonNullable<SessionResult['picture']>;

const drawings: Readonly<Record<string, (picture: Picture) => Promise<string | Uint8Array>>> = {
  '.png': async (picture) => (await import('../../picture/draw-png.ts')).drawPng(picture),
  '.svg': async (picture) => (await import('../../picture/draw-svg.ts')).drawSvg(picture),
};
