/**
 * What a contract promises its clients and demands of them, each as a line, so that two versions
 * can be held against each other: a promise may come without notice but not go, a demand may go but
 * not come.
 */

type Json = Record<string, unknown>;

export interface StoredContract {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
}

/** Lines such as `get /public/zip/{zip}: 200 application/json .scores[].score: integer` */
export interface Terms {
  promises: Set<string>;
  demands: Set<string>;
}

export function termsOf(contract: StoredContract): Terms {
  const terms: Terms = { promises: new Set(), demands: new Set() };
  for (const [name, operation] of operationsOf(contract)) {
    const reader = new SchemaReader(contract.components.schemas);
    const promise = (text: string) => terms.promises.add(`${name}: ${text}`);
    const demand = (text: string) => terms.demands.add(`${name}: ${text}`);
    promise('is there');
    for (const { name: parameter, in: place, required, schema } of parametersOf(operation)) {
      for (const line of reader.accepted(`${place} ${parameter}`, schema)) promise(line);
      if (required) demand(`${place} ${parameter}`);
    }
    const { requestBody } = operation as { requestBody?: { content: Content } };
    for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
      for (const line of reader.accepted(`takes ${type} `, schema)) promise(line);
      for (const line of reader.required(`takes ${type} `, schema)) demand(line);
    }
    const { responses } = operation as { responses: Record<string, { content?: Content }> };
    for (const [status, { content = {} }] of Object.entries(responses)) {
      promise(status);
      for (const [type, { schema }] of Object.entries(content)) {
        for (const line of reader.given(`${status} ${type} `, schema)) promise(line);
      }
    }
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

/** Walks schemas, each of a document's components once on a way down. */
class SchemaReader {
  readonly #components: Record<string, Json>;

  constructor(components: Record<string, Json>) {
    this.#components = components;
  }

  /** What is answered: every field, its types, and whether it is always there. */
  *given(at: string, schema: Json | undefined): Generator<string> {
    for (const { path, schema: part, always } of this.#fields(at, schema)) {
      yield `${path}: ${typesOf(part)}`;
      if (always) yield `${path} is always there`;
    }
  }

  /** What may be asked: every field and every choice. */
  *accepted(at: string, schema: Json | undefined): Generator<string> {
    for (const { path, schema: part } of this.#fields(at, schema)) {
      yield `${path}: ${typesOf(part)}`;
      for (const choice of (part['enum'] ?? []) as unknown[])
        yield `${path} may be ${String(choice)}`;
    }
  }

  /** What must be asked. */
  *required(at: string, schema: Json | undefined): Generator<string> {
    for (const { path, always } of this.#fields(at, schema)) if (always) yield path;
  }

  *#fields(
    path: string,
    given: Json | undefined,
    always = false,
    inside: readonly string[] = [],
  ): Generator<{ path: string; schema: Json; always: boolean }> {
    const reference = (given?.['$ref'] as string | undefined)?.split('/').at(-1);
    const schema = reference === undefined ? (given ?? {}) : this.#components[reference]!;
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
 * What clients of `before` cannot rely on any longer in `after`.
 * @param today `YYYY-MM-DD`: operations whose sunset has passed may have gone
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
      .map((line) => `no longer: ${line}`),
    ...[...now.demands]
      .filter((line) => !old.demands.has(line) && known.has(operationOf(line)))
      .map((line) => `newly demanded: ${line}`),
  ];
}
