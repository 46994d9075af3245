/** `territory tools`: what can be called. */
import { z } from 'zod';
import { count } from '../../figures.ts';
import { entries } from '../../table.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';

const McpInfo = z.object({
  endpoint: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      summary: z.string(),
      units: z.number(),
      write: z.boolean().default(false),
    }),
  ),
});

const text = reading(McpInfo, ({ endpoint, tools }, paper) =>
  paragraphs(
    paper.paint('bold', 'Tools') + paper.paint('dim', `  (${endpoint})`),
    entries(
      paper,
      'By units of a call; * changes something, and only with confirm: true',
      tools.map(({ name, summary, units, write }) => ({
        mark: count(units),
        name: write ? `${name} *` : name,
        note: summary,
      })),
    ),
  ),
);

export const tools: Command = {
  usage: 'tools',
  summary: 'what can be called, and its units',
  examples: ['tools', 'tools --json'],
  call: () => jsonCall('/mcp/info', text),
};
