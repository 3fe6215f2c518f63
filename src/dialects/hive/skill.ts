/** The skill that teaches a model these tools. */
export const hiveSkill = `---
name: hive-terminal
description: Keep a bash open, run commands in it and answer programs that ask, with terminal_pty_open, _run and _close.
---

# terminal_pty_open, terminal_pty_run, terminal_pty_close

1. \`terminal_pty_open {"cwd":"/srv/app"}\` gives \`session_id\`. It is always bash, without the user's own files.
2. \`terminal_pty_run {"session_id":S,"command":"make"}\` returns when the prompt is back: \`output\` is what the
   command printed. Folder and variables stay.
   \`"timed_out":true\` means that it is still running: look again with \`read_only\`, or interrupt it with
   \`{"command":"\\u0003","raw_send":true}\`.
3. A program with a prompt of its own wants \`expect\`, a regular expression in Python's syntax: \`{"command":"python3","expect":">>>\\\\s*$"}\`, \`{"command":"sudo id","expect":"[Pp]assword:"}\`.
   A program that asks for a line or a password returns also where nothing matches: \`note\` says so.
4. Answer it raw, the newline included: \`{"command":"print(42)\\n","raw_send":true}\`; then
   \`{"read_only":true,"timeout_sec":10}\` gives what it said. A drain waits for output, and returns each byte once.
5. \`terminal_pty_close {"session_id":S}\` when done; \`"force":true\` if it hangs. There may be 8 sessions at once.

One command at a time in each session: a second one is told "busy"; raw input and drains are allowed meanwhile.
`;
