/** Reports what came of a closing that no caller waits for. */
import type { CloseResult } from '../system/terminal/terminal.ts';
import type { Session } from './session.ts';

export const reportClosing = async (
  session: Session,
  closing: Promise<CloseResult>,
  report: (message: string) => void,
): Promise<void> => {
  try {
    const { survivors } = await closing;
    const running = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
    if (running) report(`What "${session.name}" has run goes on after its end: ${running}.`);
  } catch (error) {
    report(`Session "${session.name}" could not be closed: ${(error as Error).message}`);
  }
};
