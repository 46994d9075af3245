/** A tool as tools/list tells it: the declaration, in the protocol's words. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { TOOLS } from '../agent/tools.ts';
import { inputSchema, outputSchema } from '../agent/tool-schema.ts';
import type { Tool } from '../agent/tool.ts';

export function listingOf(tool: Tool): ListedTool {
  const { name, title, summary, description, write, destructive, idempotent } = tool;
  return {
    name,
    title,
    description: `${summary}. ${description}`,
    inputSchema: inputSchema(tool) as ListedTool['inputSchema'],
    outputSchema: outputSchema(tool),
    annotations: {
      title,
      readOnlyHint: !write,
      destructiveHint: destructive ?? false,
      idempotentHint: !write || (idempotent ?? false),
      // All of it is in the organisation's own account here.
      openWorldHint: false,
    },
  };
}

/** The same for everybody who asks. */
export const LISTING: readonly ListedTool[] = TOOLS.map(listingOf);
