/** Messages of JSON-RPC 2.0, as MCP uses them. */
import { z } from 'zod';
import type { Failure } from '../../base/contract/operation.ts';

const Id = z.union([z.string(), z.int()]);

/** A single message. Notifications have no id. */
export const JsonRpcRequest = z
  .looseObject(
    {
      jsonrpc: z.literal('2.0'),
      id: Id.optional(),
      method: z
        .string()
        .meta({ description: '`tools/list`, `tools/call`, or another method of the protocol' }),
      // Checked by method, for errors in the protocol's terms.
      params: z.unknown().meta({ type: 'object', additionalProperties: {} }).optional(),
    },
    {
      error: ({ input }) =>
        Array.isArray(input)
          ? 'Batches aren’t supported. Send each message in a request of its own.'
          : undefined,
    },
  )
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

/** Error codes of JSON-RPC, and our own `REFUSED`, whose `data.code` gives the reason */
const [PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR, REFUSED] = [-32700, -32600, -32603, -32010];

/**
 * Returns the error response of a message that failed with an HTTP error. `data` repeats the HTTP status and
 * headers for clients that ignore them.
 */
export function rpcFailure({
  status,
  error: { error: message, ...details },
  retryAfterSeconds = secondsUntilReset(details),
  limit,
  body,
}: Failure): z.output<typeof JsonRpcResponse> {
  if (status === 400) {
    const code = body === undefined ? PARSE_ERROR : INVALID_REQUEST;
    return { jsonrpc: '2.0', id: null, error: { code, message } };
  }
  const { data: id = null } = Id.safeParse((body as { id?: unknown } | undefined)?.id);
  const code = status === 500 ? INTERNAL_ERROR : REFUSED;
  const data = {
    ...details,
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(limit && { limit }),
  };
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

/** The full meter of each error code. Waiting doesn't help with other errors that have a meter. */
const FULL_METERS: Readonly<Record<string, string>> = {
  usage_quota_exceeded: 'usage',
  zip_limit_exceeded: 'figures',
};

/** Returns the seconds until the organization gets new units or ZIP codes, if it has none left. */
function secondsUntilReset(details: Record<string, unknown>): number | undefined {
  const meter = FULL_METERS[String(details['code'])];
  const { resetsAt } = (meter === undefined ? {} : details[meter]) as { resetsAt?: string };
  if (resetsAt === undefined) return undefined;
  return Math.max(1, Math.ceil((Date.parse(resetsAt) - Date.now()) / 1000));
}
