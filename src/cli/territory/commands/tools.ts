import type { z } from 'zod';
import type { McpInfo } from '../../../mcp/info.ts';
import { formatCount } from '../../../words.ts';
import { formatEntries } from '../../table.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';

const format = formatter<z.output<typeof McpInfo>>(
  ['endpoint', 'tools'],
  ({ endpoint, tools }, layout) =>
    paragraphs(
      layout.paint('bold', 'Tools') + layout.paint('dim', `  (${endpoint})`),
      formatEntries(
        layout,
        'Units per call; tools with * make changes and need --confirm',
        (tools ?? []).map(({ name, summary, units, write }) => ({
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
