/** The clients that are run: how each is set up for a scripted model, and started. */
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { geminiCli } from './gemini.js';
import { opencode } from './opencode.js';
import { qwen } from './qwen.js';

export const kinds = [claudeCode, codex, geminiCli, opencode, qwen];
