/** The screens of the programs in test/streams. */
import { Screen } from '../../src/screen/screen.ts';
import { makeScreenPicture, type ScreenPicture } from '../../src/views/picture.ts';
import { readStreams, type Stream } from '../streams/stream.ts';

export interface ShownScreen {
  picture: ScreenPicture;
  lines: string[];
}

export const streams = readStreams(`${import.meta.dirname}/../streams`);

/** Each screen that the recording says is to be seen. */
export const screensOf = ({ cols, rows, events }: Stream): ShownScreen[] => {
  const screen = new Screen({ cols, rows });
  return events.flatMap((event) => {
    if ('output' in event) screen.write(Buffer.from(event.output));
    if ('resize' in event) screen.resize(event.resize.cols, event.resize.rows);
    if (!('screen' in event)) return [];
    return [{ picture: makeScreenPicture(screen)!, lines: event.screen }];
  });
};

export const pictureOf = (output: string, cols = 20, rows = 3): ScreenPicture => {
  const screen = new Screen({ cols, rows });
  screen.write(Buffer.from(output));
  return makeScreenPicture(screen)!;
};
