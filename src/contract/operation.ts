/**
 * One declaration per operation. It produces the route, the check of requests, the type of answers,
 * the check of answers in tests, and the operation's part of the OpenAPI document.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { PolicyName } from './limits.ts';
import type { Bytes, PreparedAnswer } from './prepared.ts';
import { exampleOf } from './resources.ts';

export interface Declaration<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answers extends AnswerDeclarations = AnswerDeclarations,
> {
  /** Unique; the `operationId` of the OpenAPI document */
  id: string;
  method: 'get' | 'post';
  /** Relative to the API's root, parameters in braces: `/public/zip/{zip}` */
  path: string;
  tag: string;
  /** One line */
  summary: string;
  /** Markdown */
  description: string;
  /** An API key always works, unless `none`. With `bearer-if-private`, some answers need no credential. */
  auth: 'none' | 'bearer-if-private' | 'bearer-or-connector' | 'bearer-or-session';
  /**
   * With `bearer-or-session`, access tokens for the API work too, unless this sentence says why not and
   * what to use instead. It's the message of their 403
   */
  refusesAccessTokens?: string;
  /** Rate-limit policy. Default: `service` */
  limit?: PolicyName;
  deprecated?: Deprecation;
  /** Path parameters, which arrive as strings; the schema may transform them */
  params?: Params;
  query?: Query;
  /** JSON body of a POST */
  body?: Body;
  /** The body is an HTML form; the handler receives its fields as `FormFields` */
  form?: true;
  /** The form may contain files, up to this many bytes in all */
  uploadBytes?: number;
  /** Refuses a request before its body is read. @throws ServiceError */
  beforeBody?(request: { headers: IncomingHttpHeaders }): Promise<void> | void;
  /** Pages of other origins may not read the answer, even with `auth: 'none'` */
  private?: true;
  /** A GET whose answer follows from its address and the imported data: it's repeated without `handle` */
  repeatable?: true;
  /** Bodies that work unchanged on the sample data */
  bodyExamples?: Record<string, { summary: string; value: z.input<Body> }>;
  /** The answers of `handle`, by status */
  answers: Answers;
  /**
   * Statuses of the Error object that `handle` may throw. Some follow from the declaration: 400 from
   * any input, 413 and 415 from a body, 401 and 503 from `auth`, 406 from several media types. Every
   * operation may answer 429.
   */
  errors?: readonly ErrorStatus[];
  /** Example messages for the OpenAPI document */
  errorExamples?: Partial<Record<ErrorStatus, string>>;
  /** Presents failures in the terms of a protocol. Default: the Error object */
  failures?: { schema: z.ZodType; bodyOf(failure: Failure): unknown };
}

/** A request that failed. */
export interface Failure {
  status: number;
  /** The Error object */
  error: { error: string; code?: string | undefined } & Record<string, unknown>;
  /** As in `Retry-After` */
  retryAfterSeconds?: number | undefined;
  /** The exceeded limit of a 429, as in `RateLimit-Policy` */
  limit?: { policy: string; quota: number; windowSeconds: number } | undefined;
  /** The request's body; undefined if the request failed before it was parsed */
  body?: unknown;
}

export interface Operation extends Declaration {
  handle(request: Request): Promise<Answer>;
}

/** RFC 9745 and RFC 8594. The days are `YYYY-MM-DD`, at least a year apart. */
export interface Deprecation {
  since: string;
  sunset: string;
  /** Paths */
  successors: readonly string[];
}

export type AnswerDeclarations = Readonly<Record<number, AnswerDeclaration>>;

export type AnswerDeclaration = JsonDeclaration | BytesDeclaration | EmptyDeclaration;

interface CommonDeclaration {
  description: string;
  /** The body is a `PreparedAnswer`, sent with ETag and Cache-Control */
  cached?: boolean;
}

interface JsonDeclaration extends CommonDeclaration {
  schema: z.ZodType;
  /** A complete example. Default: the first one in the schema's metadata */
  example?: unknown;
  /**
   * Media types, the default first. Default: `application/json`. The Accept header chooses among
   * several, and the choice is `request.type`.
   */
  types?: readonly string[];
}

/** An answer that isn't JSON. */
interface BytesDeclaration extends CommonDeclaration {
  /** Media type */
  type: string;
  /** For text formats */
  example?: string;
  /** Media types that the path or the body selects instead */
  otherTypes?: readonly string[];
  /** Those of text formats, by media type; of JSON, as values */
  otherExamples?: Readonly<Record<string, unknown>>;
}

/** An answer without a body. */
interface EmptyDeclaration extends CommonDeclaration {
  empty: true;
}

/** The union of the answers that a declaration allows. */
export type AnswerOf<Answers extends AnswerDeclarations> = {
  [Status in keyof Answers & number]: Answer<Status, BodyOf<Answers[Status]>>;
}[keyof Answers & number];

type BodyOf<Declared> = Declared extends { empty: true }
  ? ''
  : Declared extends { cached: true }
    ? PreparedAnswer<ValuesOf<Declared>>
    : Declared extends { schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : Declared extends { type: string }
        ? string | Uint8Array | Readable
        : unknown;

/** The values that a prepared answer may contain. Media types other than JSON allow bytes too. */
type ValuesOf<Declared> = Declared extends { schema: infer Schema extends z.ZodType }
  ?
      | z.output<Schema>
      | (Declared extends { types: infer Types extends readonly string[] }
          ? Exclude<Types[number], `${string}json`> extends never
            ? never
            : Bytes
          : never)
  : Bytes;

/**
 * Fails to compile if a body has fields that its schema doesn't declare. TypeScript itself doesn't
 * check the values that a function expression returns for excess properties.
 */
export type NoUndeclaredFields<Result, Answers extends AnswerDeclarations> = [
  UndeclaredFields<Result, Answers>,
] extends [never]
  ? unknown
  : { undeclaredFields: UndeclaredFields<Result, Answers> };

type UndeclaredFields<Result, Answers extends AnswerDeclarations> = Result extends {
  status: infer Status extends keyof Answers;
  body: infer Body;
}
  ? Exclude<keyof Body, KeysOfEach<BodyOf<Answers[Status]>>>
  : never;

type KeysOfEach<T> = T extends unknown ? keyof T : never;

export interface Request<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  /** The media type chosen by the Accept header, if an answer declares several */
  type?: string;
  /** The `Caller`, unless the request needs none. It's `unknown` because the contract imports no room. */
  caller?: unknown;
  /** Network address of the client */
  client: string;
  /** Path and query, as sent */
  target: string;
  /** For protocols that define their own headers */
  headers: IncomingHttpHeaders;
  /** Aborts when the client disconnects before it has the answer */
  signal: AbortSignal;
  /** Names a caller whom the handler identifies in the request's log lines. */
  identify(caller: unknown): void;
  /** Fields of log lines about this request: its id, its trace, and its caller */
  logFields(): Record<string, unknown>;
}

/** The part of a request that doesn't depend on who sends it. */
export type RequestInput = Pick<Request, 'params' | 'query' | 'body' | 'type'>;

export interface Answer<Status extends number = number, Body = unknown> {
  status: Status;
  /** Sent as JSON, unless it's a `PreparedAnswer` or bytes */
  body: Body;
  headers?: Record<string, string>;
  /** `Set-Cookie` values */
  cookies?: readonly string[];
  /** Returns the body as long as it's current, without waiting */
  again?(): PreparedAnswer<unknown> | undefined;
}

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 406 | 409 | 413 | 415 | 429 | 503;

/** Checks a handler against the types of its declaration, then forgets them. Adds default examples. */
export function operation<
  const Answers extends AnswerDeclarations,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  const Result extends AnswerOf<Answers> = AnswerOf<Answers>,
>(
  declaration: Declaration<Params, Query, Body, Answers> & {
    handle(request: Request<Params, Query, Body>): Promise<Result>;
  } & NoUndeclaredFields<Result, Answers>,
): Operation {
  const answers = Object.entries(declaration.answers).map(([status, answer]) => [
    status,
    'schema' in answer ? { example: exampleOf(answer.schema), ...answer } : answer,
  ]);
  return { ...(declaration as unknown as Operation), answers: Object.fromEntries(answers) };
}

/** The media types among which the Accept header chooses; undefined if there is only one. */
export function typesToChoose(op: Operation): readonly string[] | undefined {
  const choices = Object.values(op.answers).flatMap((answer) =>
    'types' in answer && answer.types ? [answer.types] : [],
  );
  return choices[0];
}

/** The schemas of the params, query, and body that an operation declares. */
export function inputs(op: Operation) {
  return [
    ['params', op.params],
    ['query', op.query],
    ['body', op.body],
  ].filter((input): input is ['params' | 'query' | 'body', z.ZodType] => input[1] !== undefined);
}
