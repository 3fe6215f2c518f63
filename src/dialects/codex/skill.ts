/** The skill that teaches a model these tools. */
export const codexSkill = `---
name: codex-exec
description: Run commands and converse with programs through exec_command and write_stdin.
---

# exec_command and write_stdin

- One command: \`exec_command {"cmd":"make test"}\`. The answer says \`Process exited with code N\`, or, if it
  takes longer than \`yield_time_ms\` (10 s unless you say otherwise), \`Process running with session ID N\`.
- Still running: poll with \`write_stdin {"session_id":N}\`. A poll waits at least 5 s; give a longer
  \`yield_time_ms\` rather than polling often.
- A program that asks, a REPL, a shell to work in: start it with \`"tty":true\`. Only then can you write to it.
  Without it you get "stdin is closed for this session": start again with \`"tty":true\` and use the new ID.
- Write exactly what is to be typed, the newline too: \`write_stdin {"session_id":N,"chars":"yes\\n"}\`.
- Keys: Ctrl-C \`\\u0003\`, Ctrl-D \`\\u0004\`, Escape \`\\u001b\`, Tab \`\\t\`, arrows \`\\u001b[A\` (up) \`[B\` \`[C\` \`[D\`.
- An answer comes as soon as the program certainly waits for input, so no extra delay is needed.
- There is no tool to close a session: write \`exit\\n\`, \`\\u0004\` or \`\\u0003\`. After an exit was reported the ID is
  unknown, and jobs that the program left (\`server &\`) are gone: run a server as a command of its own. Of more than 64 sessions the longest unused is ended.
- Long output is cut in the middle; raise \`max_output_tokens\` (10000 at most), or let the command print less.
`;
