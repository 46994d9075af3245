/** Messages of JSON-RPC 2.0, as MCP uses them. */
import { z } from 'zod';

const Id = z.union([z.string(), z.int()]);

/** A single message; notifications have no id. */
export const JsonRpcRequest = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: Id.optional(),
    method: z
      .string()
      .meta({ description: '`tools/list`, `tools/call`, or another method of the protocol' }),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'JsonRpcRequest' });

export const JsonRpcResponse = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: Id.nullable(),
    result: z.looseObject({}).optional(),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional(),
  })
  .meta({ id: 'JsonRpcResponse' });

/** An error response to a message whose id is unknown. */
export const rpcError = (code: number, message: string): z.output<typeof JsonRpcResponse> => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});
