/** Every command. Each is loaded only when it runs: `ls` must not load what a server needs. */
import type { CliCommand } from './command.ts';

export const commandLoaders: Readonly<Record<string, () => Promise<CliCommand>>> = {
  open: async () => (await import('./commands/open.ts')).openCommand,
  send: async () => (await import('./commands/send.ts')).sendCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  read: async () => (await import('./commands/read.ts')).readCommand,
  screenshot: async () => (await import('./commands/screenshot.ts')).screenshotCommand,
  wait: async () => (await import('./commands/wait.ts')).waitCommand,
  ls: async () => (await import('./commands/ls.ts')).lsCommand,
  rename: async () => (await import('./commands/rename.ts')).renameCommand,
  resize: async () => (await import('./commands/resize.ts')).resizeCommand,
  signal: async () => (await import('./commands/signal.ts')).signalCommand,
  close: async () => (await import('./commands/close.ts')).closeCommand,
  attach: async () => (await import('./commands/attach.ts')).attachCommand,
  view: async () => (await import('./commands/view.ts')).viewCommand,
  recordings: async () => (await import('./replay/recordings-command.ts')).recordingsCommand,
  replay: async () => (await import('./replay/replay-command.ts')).replayCommand,
  policy: async () => (await import('./policy/policy-command.ts')).policyCommand,
  approvals: async () => (await import('./policy/approvals-command.ts')).approvalsCommand,
  audit: async () => (await import('./policy/audit-command.ts')).auditCommand,
  daemon: async () => (await import('./commands/daemon.ts')).daemonCommand,
  connect: async () => (await import('./hosts/connect-command.ts')).connectCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  setup: async () => (await import('./setup/setup-command.ts')).setupCommand,
  skill: async () => (await import('./commands/skill.ts')).skillCommand,
  doctor: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
  demo: async () => (await import('./demo/demo-command.ts')).demoCommand,
};

export const loadAllCommands = async (): Promise<CliCommand[]> =>
  Promise.all(Object.values(commandLoaders).map((load) => load()));
