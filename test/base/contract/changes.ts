/**
 * Compares two versions of the contract, as sets of lines. Promises to clients may be added but not
 * removed; requirements may be removed but not added.
 */

type Json = Record<string, unknown>;

export interface StoredContract {
  paths: Record<string, Record<string, Json>>;
  /** Requests that the service sends */
  webhooks?: Record<string, { post: { requestBody: { content: Content } } }>;
  components: { schemas: Record<string, Json> };
}

/** Lines such as `get /public/zip/{zip}: 200 application/json .scores[].score: integer` */
export interface Terms {
  promises: Set<string>;
  requirements: Set<string>;
}

export function termsOf(contract: StoredContract): Terms {
  const terms: Terms = { promises: new Set(), requirements: new Set() };
  for (const [name, operation] of operationsOf(contract)) {
    const reader = new SchemaReader(contract.components.schemas);
    const promise = (text: string) => terms.promises.add(`${name}: ${text}`);
    const requirement = (text: string) => terms.requirements.add(`${name}: ${text}`);
    promise('exists');
    for (const { name: parameter, in: place, required, schema } of parametersOf(operation)) {
      for (const line of reader.accepted(`${place} ${parameter}`, schema)) promise(line);
      if (required) requirement(`${place} ${parameter}`);
    }
    const { requestBody } = operation as { requestBody?: { content: Content } };
    for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
      for (const line of reader.accepted(`takes ${type} `, schema)) promise(line);
      for (const line of reader.required(`takes ${type} `, schema)) requirement(line);
    }
    const { responses } = operation as { responses: Record<string, { content?: Content }> };
    for (const [status, { content = {} }] of Object.entries(responses)) {
      promise(status);
      for (const [type, { schema }] of Object.entries(content)) {
        for (const line of reader.returned(`${status} ${type} `, schema)) promise(line);
      }
    }
  }
  for (const [name, { post }] of Object.entries(contract.webhooks ?? {})) {
    const reader = new SchemaReader(contract.components.schemas);
    const { schema } = post.requestBody.content['application/json']!;
    for (const line of reader.returned(`webhook ${name}:`, schema)) terms.promises.add(line);
  }
  return terms;
}

type Content = Record<string, { schema?: Json }>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Json;
}

function* operationsOf({ paths }: StoredContract): Generator<[string, Json]> {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods))
      yield [`${method} ${path}`, operation];
  }
}

const parametersOf = (operation: Json) => (operation['parameters'] ?? []) as Parameter[];

/** Walks schemas. A component is entered once per branch, because it may contain itself. */
class SchemaReader {
  readonly #components: Record<string, Json>;

  constructor(components: Record<string, Json>) {
    this.#components = components;
  }

  /** Describes every field of a response: its types, and whether it's always present. */
  *returned(at: string, schema: Json | undefined): Generator<string> {
    for (const { path, schema: part, always } of this.#fields(at, schema)) {
      yield `${path}: ${typesOf(part)}`;
      if (always) yield `${path} is always present`;
    }
  }

  /** Describes every field of a request, with its enum members. */
  *accepted(at: string, schema: Json | undefined): Generator<string> {
    for (const { path, schema: part } of this.#fields(at, schema)) {
      yield `${path}: ${typesOf(part)}`;
      for (const choice of (part['enum'] ?? []) as unknown[])
        yield `${path} may be ${String(choice)}`;
    }
  }

  /** Lists the required fields of a request. */
  *required(at: string, schema: Json | undefined): Generator<string> {
    for (const { path, always } of this.#fields(at, schema)) if (always) yield path;
  }

  *#fields(
    path: string,
    schemaOrReference: Json | undefined,
    always = false,
    inside: readonly string[] = [],
  ): Generator<{ path: string; schema: Json; always: boolean }> {
    const reference = (schemaOrReference?.['$ref'] as string | undefined)?.split('/').at(-1);
    const schema =
      reference === undefined ? (schemaOrReference ?? {}) : this.#components[reference]!;
    const deeper = reference === undefined ? inside : [...inside, reference];
    yield { path, schema, always };
    if (reference !== undefined && inside.includes(reference)) return;
    const required = (schema['required'] ?? []) as string[];
    for (const [name, field] of Object.entries(
      (schema['properties'] ?? {}) as Record<string, Json>,
    )) {
      yield* this.#fields(`${path}.${name}`, field, required.includes(name), deeper);
    }
    const items = schema['items'] as Json | undefined;
    if (items) yield* this.#fields(`${path}[]`, items, false, deeper);
    const values = schema['additionalProperties'] as Json | boolean | undefined;
    if (typeof values === 'object') yield* this.#fields(`${path}{}`, values, false, deeper);
    for (const choice of choicesOf(schema)) yield* this.#fields(path, choice, false, deeper);
  }
}

const choicesOf = (schema: Json) =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (schema[keyword] ?? []) as Json[]);

function typesOf(schema: Json): string {
  if ('const' in schema) return JSON.stringify(schema['const']);
  return [schema['type'] ?? 'anything'].flat().toSorted().join(' or ');
}

/**
 * Returns the changes from `before` to `after` that break clients.
 * @param today `YYYY-MM-DD`; operations may be removed from their sunset on
 */
export function brokenTerms(
  before: StoredContract,
  after: StoredContract,
  today: string,
): string[] {
  const gone = new Set(
    [...operationsOf(before)]
      .filter(([, operation]) => String(operation['x-sunset'] ?? '9999') <= today)
      .map(([name]) => name),
  );
  const [old, now] = [termsOf(before), termsOf(after)];
  const known = new Set([...operationsOf(before)].map(([name]) => name));
  const operationOf = (line: string) => line.slice(0, line.indexOf(': '));
  return [
    ...[...old.promises]
      .filter((line) => !now.promises.has(line) && !gone.has(operationOf(line)))
      .filter((line) => !isWidened(line, now))
      .map((line) => `no longer: ${line}`),
    ...[...now.requirements]
      .filter((line) => !old.requirements.has(line) && known.has(operationOf(line)))
      .map((line) => `newly required: ${line}`),
  ];
}

/** Whether a parameter that accepted some values now accepts any text. */
function isWidened(line: string, { promises }: Terms): boolean {
  const at = line.indexOf(MAY_BE);
  if (at < 0 || !promises.has(`${line.slice(0, at)}: string`)) return false;
  const choices = line.slice(0, at + MAY_BE.length);
  return ![...promises].some((each) => each.startsWith(choices));
}

const MAY_BE = ' may be ';
