import { defineCommand } from '../command.ts';
import { dialectOption } from '../dialect-option.ts';
import { parseAddress } from '../parse-address.ts';
import { UsageError } from '../parse-args.ts';
import { sandboxOf, sandboxOptions } from '../sandbox-options.ts';

export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'serve the terminal tools to an MCP client',
  options: {
    dialect: {
      ...dialectOption,
      multiple: true,
      description: 'the tool set to serve; several can be given',
    },
    embedded: { description: 'keep the sessions in this process; they end when the client goes' },
    http: {
      value: '[HOST:]PORT',
      parse: parseAddress,
      description: 'serve streamable HTTP at /mcp, on 127.0.0.1 unless HOST says otherwise',
    },
    'token-file': {
      value: 'FILE',
      paths: 'files',
      description:
        'with --http: the token that clients must give; otherwise one is made and printed',
    },
    'pass-keys': {
      description: 'let sessions have API keys of the client, such as ANTHROPIC_API_KEY',
    },
    sandbox: {
      ...sandboxOptions.sandbox,
      description:
        'confine all that it starts: workspace, read-only, offline, or a profile of yours',
    },
    workspace: sandboxOptions.workspace,
    'strict-waits': {
      description: 'let the waits of other dialects last as long as in the original',
    },
  },
  examples: [
    ['claude mcp add repartee -- npx -y repartee mcp', 'adds it to Claude Code'],
    [
      'repartee mcp --sandbox workspace',
      'an agent that writes this folder alone, without a network',
    ],
    ['repartee mcp --http 8765', 'serves http://127.0.0.1:8765/mcp'],
  ],
  async run({ values }) {
    if (values.http === undefined && values['token-file'] !== undefined)
      throw new UsageError('--token-file is for clients over HTTP: say --http as well.');
    // Loaded only now: the server takes a quarter of a second to load, and `--help` loads all commands.
    const { serveMcp } = await import('../mcp/serve-mcp.ts');
    return serveMcp({
      dialects: values.dialect,
      isEmbedded: values.embedded,
      strictWaits: values['strict-waits'],
      passKeys: values['pass-keys'],
      sandbox: sandboxOf(values),
      http: values.http && { ...values.http, tokenFile: values['token-file'] },
    });
  },
});
