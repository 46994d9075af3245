import { formatCount } from '../../../text/words.ts';
import { formatEntries } from '../../table.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';

/** Loads a schema of the listed part of McpInfo, because McpInfo itself would load every tool. */
async function loadSchema() {
  const { z } = await import('zod');
  const { ToolSummary } = await import('../../../agent/capabilities.ts');
  return z.object({ endpoint: z.url(), tools: z.array(ToolSummary) });
}

const format = formatter(loadSchema, ({ endpoint, tools }, layout) =>
  paragraphs(
    layout.paint('bold', 'Tools') + layout.paint('dim', `  (${endpoint})`),
    formatEntries(
      layout,
      'Units per call; tools with * make changes and need --confirm',
      tools.map(({ name, summary, units, write }) => ({
        mark: formatCount(units),
        name: write ? `${name} *` : name,
        note: summary,
      })),
    ),
  ),
);

export const tools: Command = {
  usage: 'tools',
  summary: 'list the MCP tools and their units',
  examples: ['tools', 'tools --json'],
  call: () => jsonCall('/mcp/info', format),
};
