/** The server's instructions, which a model reads before it calls a tool. */
import type { Dialect } from '../dialects/tool.ts';

const general =
  'Repartee gives you real terminals: programs stay alive between calls, and every result says whose turn it is.';

const native = `

Use terminal_run for a command that needs no answers, and terminal_open followed by terminal_send for everything that is a conversation: REPLs, debuggers, ssh, database consoles, installers, editors, password prompts. A state of "waiting" is your turn: prompt shows what is asked, and waiting_for says what it takes (command, line, secret, key). "working" means that it is busy; call terminal_wait instead of sleeping or polling. "exited" comes with exit_code. A certainty of "certain" is proven by the kernel; "likely" and "guess" may be early, so read once more before you rely on them.

The output of a full-screen program (vim, less, htop) is its screen: use keys, and view "diff" to see what changed. Your sessions outlive your client; after a restart terminal_list with all shows them, and naming one takes it up. Never type a password as text and never ask for one in the chat: a result that waits for a secret says in hint what to do.`;

export const serverInstructions = (dialects: readonly Dialect[]): string =>
  dialects.some(({ name }) => name === 'native') ? general + native : general;
