/** Converts tool declarations to entries of tools/list. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { TOOLS } from '../agent/tools.ts';
import { inputSchema, outputSchema } from '../agent/tool-schema.ts';
import type { Tool } from '../agent/tool.ts';

function listingOf(tool: Tool): ListedTool {
  const { name, title, summary, description, write, destructive, idempotent } = tool;
  return {
    name,
    title,
    description: `${summary}. ${description}`,
    inputSchema: inputSchema(tool) as ListedTool['inputSchema'],
    outputSchema: outputSchema(tool),
    annotations: {
      readOnlyHint: !write,
      destructiveHint: destructive ?? false,
      ...(write && { idempotentHint: idempotent ?? false }),
      // Tools only access the organization's own data.
      openWorldHint: false,
    },
  };
}

let made: readonly ListedTool[] | undefined;

/** Returns the list, which is the same for every caller. Making it takes 0.2 s, so the first call makes it. */
export const listing = (): readonly ListedTool[] => (made ??= TOOLS.map(listingOf));
