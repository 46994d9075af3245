/** Checks requests and answers against their declaration. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { badRequest, type ServiceError } from '../../errors.ts';
import { describeIssue } from './input-problems.ts';
import {
  inputs,
  type Inputs,
  typesToChoose,
  type Answer,
  type ErrorStatus,
  type Operation,
  type RequestInput,
} from './operation.ts';
import { repeated } from './repeated.ts';
import { listUnstorable } from './storable-text.ts';
import { PreparedAnswer } from './prepared.ts';
import { ZIP_COUNTS_HEADER } from './zip-counts.ts';
import { errorBodyOf } from './schemas.ts';

/**
 * Returns the parsed input of a request.
 * @throws ServiceError 400 that names every invalid field and what it accepts
 */
export function checkRequest(
  op: Inputs & Pick<Operation, 'failures'>,
  raw: { params: unknown; query: unknown; body?: unknown },
): RequestInput {
  const request: Record<string, unknown> = { params: {}, query: {}, body: undefined };
  const problems: string[] = [];
  for (const [place, schema] of inputs(op)) {
    const given = raw[place];
    // A protocol checks the texts of its messages itself, for errors in its own terms.
    const unstorable = place === 'body' && op.failures ? [] : listUnstorable(given);
    const result = schema.safeParse(given);
    if (unstorable.length > 0) problems.push(...unstorable);
    else if (result.success) request[place] = result.data;
    else
      for (const issue of result.error.issues) {
        problems.push(
          place === 'query' ? problemInQuery(issue, schema, given) : describe(issue, schema),
        );
      }
  }
  if (problems.length > 0) throw badRequest(listProblems(problems));
  return request as unknown as RequestInput;
}

/** A body can have thousands of problems. */
const MAX_PROBLEMS = 20;

function listProblems(problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS;
  const listed = problems.slice(0, MAX_PROBLEMS).join('; ');
  return more > 0 ? `${listed}; and ${more} more` : listed;
}

/** Beginnings of zod's own messages. They state what zod expected, but in its own terms. */
const ZODS_WORDS = /^(?:Too (?:big|small)|Invalid (?:input|option|UUID)|Unrecognized)/;

/** A repeated parameter is a list, which few parameters accept. */
function problemInQuery(issue: z.core.$ZodIssue, schema: z.ZodType, given: unknown): string {
  const [name, ...rest] = issue.path;
  const value =
    name !== undefined && rest.length === 0 && (given as Record<PropertyKey, unknown>)[name];
  return Array.isArray(value) ? repeated(String(name), value.length) : describe(issue, schema);
}

function describe(issue: z.core.$ZodIssue, schema?: z.ZodType): string {
  if (ZODS_WORDS.test(issue.message)) return describeIssue(issue, schema).join('; ');
  const name = issue.path.join('.');
  return name === '' ? issue.message : `${name}: ${issue.message}`;
}

/**
 * Checks an answer of a handler. Tests run this on every answer.
 * @throws Error if the operation doesn't declare the answer
 */
export function checkAnswer(op: Operation, { status, headers, body }: Answer): void {
  const answer = op.answers[status];
  if (!answer) throw new Error(`${op.id} does not declare the status ${status}`);
  if (body instanceof PreparedAnswer !== (answer.cached ?? false)) {
    throw new Error(
      `${op.id} answered ${status} with a prepared body without declaring it cached, or vice versa`,
    );
  }
  const fields = body instanceof PreparedAnswer ? body.fields : (headers ?? {});
  if (ZIP_COUNTS_HEADER in fields !== (answer.countsZips ?? false)) {
    throw new Error(`${op.id} counts ZIP codes of ${status} without declaring it, or vice versa`);
  }
  if ('empty' in answer) {
    if (body === '') return;
    throw new Error(`${op.id} answered ${status} with a body, but declares none`);
  }
  const types =
    'type' in answer
      ? [answer.type, ...(answer.otherTypes ?? [])]
      : (answer.types ?? ['application/json']);
  const [type = ''] = (body instanceof PreparedAnswer ? body.type : types[0]!).split(';');
  if (!types.some((declared) => declared.split(';')[0] === type)) {
    throw new Error(`${op.id} answered ${type}, but declares ${types.join()}`);
  }
  if ('schema' in answer && type.endsWith('json')) checkBody(op, status, answer.schema, body);
}

/**
 * Checks a failure of a handler. Tests run this on every failure.
 * @throws Error if the operation doesn't declare its status
 */
export function checkFailure(
  op: Operation,
  { status, message, code, details }: ServiceError,
): void {
  if (!errorStatuses(op).has(status as ErrorStatus)) {
    throw new Error(`${op.id} does not declare the status ${status}: ${message}`);
  }
  checkBody(op, status, errorBodyOf(status), { error: message, code, ...details });
}

function checkBody(op: Operation, status: number, schema: z.ZodType, body: unknown): void {
  // As for a client, serializing drops undefined values and turns dates into strings.
  const text = body instanceof PreparedAnswer ? body.bytes.toString() : JSON.stringify(body);
  const sent: unknown = JSON.parse(text);
  const result = schema.safeParse(sent);
  const mismatch = `${op.id} answered ${status} with a body that doesn't match its schema`;
  if (!result.success)
    throw new Error(
      `${mismatch}: ${result.error.issues.map((issue) => describe(issue)).join('; ')}`,
    );
  // Zod drops fields that the schema doesn't declare.
  if (isDeepStrictEqual(result.data, sent)) return;
  throw new Error(
    `${mismatch}: it has undeclared fields: ${undeclaredPaths(sent, result.data).join(', ')}`,
  );
}

/** The paths of values that are in `sent` but not in `read`. */
function undeclaredPaths(sent: unknown, read: unknown, path = ''): string[] {
  if (read === undefined) return [path];
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(sent).flatMap(([name, value]) =>
    undeclaredPaths(value, (read as Record<string, unknown>)[name], `${path}/${name}`),
  );
}

/** The error statuses that an operation declares or that follow from its declaration. */
export function errorStatuses(op: Operation): Set<ErrorStatus> {
  return new Set<ErrorStatus>([
    ...(inputs(op).length > 0 ? ([400] as const) : []),
    // Looking up a credential needs the database.
    ...(op.auth === 'none' ? [] : ([401, 503] as const)),
    ...(typesToChoose(op) ? ([406] as const) : []),
    ...(op.body || op.file ? ([413, 415] as const) : []),
    429,
    ...(op.errors ?? []),
  ]);
}
