/** Checks the params of messages. The protocol library would send the output of its validator to clients. */
import { ProtocolError, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { describeIssue } from '../../base/contract/input-problems.ts';
import { listUnstorable } from '../../base/contract/storable-text.ts';

/** The library's schemas, which are zod's */
const schemas = specTypeSchemas as unknown as Record<keyof typeof specTypeSchemas, Schema>;

interface Schema {
  '~standard': { validate(value: unknown): { issues?: readonly z.core.$ZodIssue[] } };
}

/** Schemas by method, with params that work */
const METHODS: Readonly<Record<string, [schema: Schema, example: object]>> = {
  initialize: [
    schemas.InitializeRequest,
    {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'my-client', version: '1.0' },
    },
  ],
  ping: [schemas.PingRequest, {}],
  'logging/setLevel': [schemas.SetLevelRequest, { level: 'info' }],
  'completion/complete': [
    schemas.CompleteRequest,
    {
      ref: { type: 'ref/prompt', name: 'plan-territory' },
      argument: { name: 'metro', value: 'dal' },
    },
  ],
  'prompts/list': [schemas.ListPromptsRequest, {}],
  'prompts/get': [
    schemas.GetPromptRequest,
    { name: 'explain-score', arguments: { zip: '75201', vertical: 'roofing' } },
  ],
  'resources/list': [schemas.ListResourcesRequest, {}],
  'resources/templates/list': [schemas.ListResourceTemplatesRequest, {}],
  'resources/read': [schemas.ReadResourceRequest, { uri: 'territory://brands' }],
  'tools/list': [schemas.ListToolsRequest, {}],
  'tools/call': [
    schemas.CallToolRequest,
    { name: 'service_score_territory', arguments: { vertical: 'roofing', metro: 'dallas-tx' } },
  ],
};

/** Says what is wrong with the params of a request, and shows params that work. */
export function paramsProblem(message: { method: string; params?: unknown }): string | undefined {
  const { method, params } = message;
  const [schema, example] = METHODS[method] ?? [schemas.Request, {}];
  const { issues = [] } = schema['~standard'].validate({
    method,
    ...(params !== undefined && { params }),
  });
  // A tool checks its own input, and a model reads what is wrong with it in the result.
  const unstorable = method === 'tools/call' ? [] : listUnstorable(params);
  const problems = [
    ...new Set([
      ...issues.map(belowParams).flatMap((issue) => describeIssue(issue)),
      ...unstorable,
    ]),
  ];
  if (problems.length === 0) return undefined;
  return `${method}: ${problems.join('; ')}. Send params such as ${JSON.stringify(example)}.`;
}

/** Names a field by its path in the params. */
const belowParams = (issue: z.core.$ZodIssue) =>
  issue.path.length > 1 ? { ...issue, path: issue.path.slice(1) } : issue;

export const invalidParams = (message: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Removes members that are null: many clients send null for what they leave out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutNulls(member)]],
    ),
  );
}
