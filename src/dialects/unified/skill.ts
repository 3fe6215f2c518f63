/** The skill that teaches a model these tools. */
export const unifiedSkill = `---
name: unified-exec
description: Start commands on terminals and converse with them, with unified_exec and write_stdin.
---

# unified_exec, write_stdin, close_pty_session, list_pty_sessions

- Start: \`unified_exec {"cmd":"./install.sh","yield_time_ms":5000}\`. The answer has \`output\`, \`running\`, \`exit_code\` and a
  \`session_id\`. It comes as soon as the program certainly waits for input or ends, at the latest after \`yield_time_ms\`
  (100 unless given: give more to what takes time).
- Answer: \`write_stdin {"session_id":S,"chars":"yes\\n"}\`. The newline is yours to send. \`"chars":""\` only reads.
- Keys: Ctrl-C \`\\u0003\`, Ctrl-D \`\\u0004\`, Escape \`\\u001b\`, Tab \`\\t\`, arrows \`\\u001b[A\` (up) \`[B\` \`[C\` \`[D\`.
- \`"running":false\` with an \`exit_code\` means it has ended; a negative code is the signal that ended it.
- Close each session when done, also those that have ended: \`close_pty_session {"session_id":S}\`; \`"force":true\` if it
  does not listen. There may be 10 at once; \`list_pty_sessions {}\` shows them.
- Output beyond \`max_output_tokens\` (4 characters each) is cut off and lost: \`"truncated":true\` says so.
`;
