/** Requests and answers held against their declaration. */
import type { z } from 'zod';
import { badRequest } from '../errors.ts';
import { inputs, type Answer, type Operation, type Request } from './operation.ts';
import { PreparedAnswer } from './prepared.ts';
import { ErrorBody } from './schemas.ts';

/**
 * The request's input as its handler wants it.
 * @throws ServiceError 400 that names every input that is wrong, and what would be right
 */
export function checkRequest(
  op: Operation,
  raw: { params: unknown; query: unknown; body: unknown },
): Request {
  const request: Record<string, unknown> = { params: {}, query: {}, body: undefined };
  const problems: string[] = [];
  for (const [place, schema] of inputs(op)) {
    const result = schema.safeParse(raw[place]);
    if (result.success) request[place] = result.data;
    else problems.push(...result.error.issues.map(describe));
  }
  if (problems.length > 0) throw badRequest(problems.join('; '));
  return request as unknown as Request;
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
  if (answer && 'type' in answer) return checkType(op, answer.type, body);
  const declared = answer?.schema ?? (errorStatuses(op).has(status) ? ErrorBody : null);
  if (!declared) throw new Error(`${op.id} does not declare the status ${status}`);
  const sent = body instanceof PreparedAnswer ? JSON.parse(body.bytes.toString()) : body;
  const result = declared.safeParse(sent);
  if (result.success) return;
  const where = result.error.issues.map(describe).join('; ');
  throw new Error(`${op.id} answered ${status} with a body that departs from its schema: ${where}`);
}

function checkType(op: Operation, type: string, body: unknown): void {
  const sent = body instanceof PreparedAnswer ? body.type : typeof body;
  if (sent !== type) throw new Error(`${op.id} answered ${sent} where it declares ${type}`);
}

/** The Error object's statuses that an operation declares or that follow from its declaration. */
export function errorStatuses(op: Operation): Set<number> {
  return new Set<number>([
    ...(inputs(op).length > 0 ? [400] : []),
    ...(op.auth === 'none' ? [] : [401]),
    ...(op.errors ?? []),
  ]);
}
