/** The server's instructions, which a model reads before it calls a tool. */
import type { Dialect } from '../dialects/tool.ts';

const general =
  'Repartee gives you real terminals: programs stay alive between calls, and every result says whose turn it is.';

const native = `
- terminal_run: a command that needs no answers. terminal_open, then terminal_send: everything that is a conversation (REPLs, debuggers, ssh, database consoles, installers, editors).
- state "waiting" is your turn: prompt shows what is asked, waiting_for what it takes (command, line, secret, key). "working": it is busy; terminal_wait, do not sleep or poll. "exited": exit_code.
- certainty "certain" is proven by the kernel; "likely" and "guess" may be early: read once more before you rely on them.
- A full-screen program (vim, less, htop): its output is its screen; use keys, and view "diff" to see what changed.
- Never type a password as text and never ask for one in the chat; a result that waits for a secret says what to do.`;

export const serverInstructions = (dialects: readonly Dialect[]): string =>
  dialects.some(({ name }) => name === 'native') ? general + native : general;
