/** What the service declares of its operations and tools, as the build stored it, and the requests that follow from it. */
import { readFileSync } from 'node:fs';
import { EXPORT_TYPES, type ExportFormat } from '../../../base/contract/export-formats.ts';
import { projectFile } from '../../../base/geodata/project-files.ts';
import { path, type ApiCall } from './call.ts';
import type { Input } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { toolsCall } from './tool-call.ts';

export interface Field {
  /** Where a request has it */
  in: 'path' | 'query' | 'body';
  /** A flag is true or false. */
  type: 'text' | 'number' | 'flag';
  /** The object of the body that contains it */
  within?: string;
  list?: true;
  /** Whether its values are ZIP codes */
  zip?: true;
  required?: true;
  /** All accepted words */
  values?: string[];
  /** Set if a flag is true by default */
  on?: true;
  /** Largest number */
  max?: number;
  /** For people */
  text: string;
}

export interface Declared {
  summary: string;
  /** Undefined for tools, as is the path */
  method?: 'get' | 'post';
  path?: string;
  /** Media types of the answer */
  types: string[];
  needsKey?: true;
  /** Whether the caller must be allowed to make changes */
  writes?: true;
  fields: Record<string, Field>;
}

let all: Record<string, Declared> | undefined;

const ANY_TOOL: Declared = { summary: '', types: ['application/json'], needsKey: true, fields: {} };

/** @param id of an operation or a tool. Default: a tool that this version may not know */
export function declaredOf(id?: string): Declared {
  if (id === undefined) return ANY_TOOL;
  all ??= JSON.parse(
    readFileSync(projectFile('dist/doors/cli/declared.json'), 'utf8'),
  ) as typeof all;
  const declared = all![id];
  if (!declared) throw new Error(`The service declares no ${id}.`);
  return declared;
}

/** Media type of the answer to an input, which may name a format */
export const typeOf = ({ types }: Declared, { format }: Input): string =>
  (types.length > 1 && EXPORT_TYPES[format as ExportFormat]?.split(';')[0]) || types[0]!;

/** Returns the request with an input. @throws Failure if the path lacks a name */
export function requestOf(id: string, input: Input): ApiCall {
  const { method, fields, ...declared } = declaredOf(id);
  if (declared.path === undefined) return toolsCall(id, nested(fields, input));
  const at = declared.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (input[name] === undefined) throw new Failure(EXIT.usage, `Name the ${name}.`);
    return path`${String(input[name])}`;
  });
  const named = Object.entries(input).filter(([, value]) => value !== undefined);
  const inside = (place: string) =>
    named.filter(([name]) => (fields[name]?.in ?? 'body') === place);
  const query = inside('query').map(([name, value]) => [name, String(value)] as const);
  return {
    path: at,
    type: typeOf({ fields, ...declared }, input),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(method === 'post' && { body: nested(fields, Object.fromEntries(inside('body'))) }),
  };
}

/** Moves fields into the objects of the body that contain them. */
function nested(fields: Declared['fields'], input: Input): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const parent = fields[name]?.within;
    if (value === undefined) continue;
    if (parent === undefined) body[name] = value;
    else body[parent] = { ...(body[parent] as object | undefined), [name]: value };
  }
  return body;
}
