/** Requests and answers held against their declaration. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { badRequest, type ServiceError } from '../errors.ts';
import {
  inputs,
  typesToChoose,
  type Answer,
  type ErrorStatus,
  type Operation,
  type RequestInput,
} from './operation.ts';
import { PreparedAnswer } from './prepared.ts';
import { errorBodyOf } from './schemas.ts';

/**
 * The request's input as its handler wants it.
 * @throws ServiceError 400 that names every input that is wrong, and what would be right
 */
export function checkRequest(
  op: Operation,
  raw: { params: unknown; query: unknown; body: unknown },
): RequestInput {
  const request: Record<string, unknown> = { params: {}, query: {}, body: undefined };
  const problems: string[] = [];
  for (const [place, schema] of inputs(op)) {
    const result = schema.safeParse(raw[place]);
    if (result.success) request[place] = result.data;
    else problems.push(...result.error.issues.map(describe));
  }
  if (problems.length > 0) throw badRequest(problems.join('; '));
  return request as unknown as RequestInput;
}

function describe(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.');
  return name === '' ? issue.message : `${name}: ${issue.message}`;
}

/**
 * Whether an answer is one that the operation declares. Tests hold every answer against this.
 * @throws Error that says where it departs
 */
export function checkAnswer(op: Operation, { status, body }: Answer): void {
  const answer = op.answers[status];
  if (!answer) throw new Error(`${op.id} does not declare the status ${status}`);
  if (body instanceof PreparedAnswer !== (answer.cached ?? false)) {
    throw new Error(`${op.id} answered ${status} prepared without declaring it cached, or not so`);
  }
  if ('empty' in answer) {
    if (body === '') return;
    throw new Error(`${op.id} answered ${status} with a body where it declares none`);
  }
  const types = 'type' in answer ? [answer.type] : (answer.types ?? ['application/json']);
  const [type = ''] = (body instanceof PreparedAnswer ? body.type : types[0]!).split(';');
  if (!types.some((declared) => declared.split(';')[0] === type)) {
    throw new Error(`${op.id} answered ${type} where it declares ${types.join()}`);
  }
  if ('schema' in answer && type.endsWith('json')) checkBody(op, status, answer.schema, body);
}

/**
 * Whether a failure with a name is one that the operation declares.
 * @throws Error that says which is missing
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
  // As a client sees it: without undefined, with dates as texts.
  const text = body instanceof PreparedAnswer ? body.bytes.toString() : JSON.stringify(body);
  const sent: unknown = JSON.parse(text);
  const result = schema.safeParse(sent);
  const departs = `${op.id} answered ${status} with a body that departs from its schema`;
  if (!result.success)
    throw new Error(`${departs}: ${result.error.issues.map(describe).join('; ')}`);
  // Fields that a schema does not have, zod leaves out of what it read.
  if (isDeepStrictEqual(result.data, sent)) return;
  throw new Error(
    `${departs}: it has undeclared fields: ${undeclared(sent, result.data).join(', ')}`,
  );
}

/** Paths of what `sent` has and `read` does not. */
function undeclared(sent: unknown, read: unknown, path = ''): string[] {
  if (read === undefined) return [path];
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(sent).flatMap(([name, value]) =>
    undeclared(value, (read as Record<string, unknown>)[name], `${path}/${name}`),
  );
}

/** The Error object's statuses that an operation declares or that follow from its declaration. */
export function errorStatuses(op: Operation): Set<ErrorStatus> {
  return new Set<ErrorStatus>([
    ...(inputs(op).length > 0 ? ([400] as const) : []),
    // A credential is looked up in the database.
    ...(op.auth === 'none' ? [] : ([401, 503] as const)),
    ...(typesToChoose(op) ? ([406] as const) : []),
    ...(op.body ? ([413, 415] as const) : []),
    429,
    ...(op.errors ?? []),
  ]);
}
