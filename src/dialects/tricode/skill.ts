/** The skill that teaches a model these tools. */
export const tricodeSkill = `---
name: tricode-sessions
description: Work in a lasting shell line by line, with start_session, send_input and read_output.
---

# start_session, send_input, read_output, close_session, list_sessions

1. \`start_session {}\` answers \`Session <id> started\`. The shell keeps its folder and variables.
2. \`send_input {"session_id":S,"input_text":"pwd"}\`: one line; the newline is added for you.
3. \`read_output {"session_id":S}\` waits up to 2 s for the first line (\`"timeout":10\` for longer), then until 100 ms
   pass without another. Each line comes once. After \`[output truncated at 4096 bytes]\` read again for the rest.
4. \`close_session {"session_id":S}\` when done. There may be 3 sessions.

There is no terminal: no prompt, no echo, no password question, no full-screen program. Run programs so that they do
not need one: \`python3 -c '...'\`, \`python3 -i -u\`, \`mysql -e '...'\`. A question without a newline at its end is not shown.
A session unused for 30 s, or older than 5 minutes, is ended.
`;
