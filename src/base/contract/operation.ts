/**
 * One declaration per operation. It defines the route, the checks of requests, the types of answers, the
 * checks of answers in tests, and the operation's part of the OpenAPI document.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { JsonBounds } from '../spatial/json-bounds.ts';
import type { PolicyName } from './limits.ts';
import type { Bytes, PreparedAnswer } from './prepared.ts';
import { exampleOf } from './resources.ts';

/** Reads need a subscription; changes, the right to write; management, also an owner or admin if a person calls. */
export type Needs = 'reader' | 'writer' | 'manager';

/** `people/account/caller.ts` says what a caller is. */
// oxlint-disable-next-line no-empty-interface
export interface RequestCaller {}

interface Declaration<
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
  /**
   * API keys are always accepted, except with `none`. With `bearer-if-private`, some answers need no
   * credential.
   */
  auth: 'none' | 'bearer-if-private' | 'bearer-or-connector' | 'bearer-or-session';
  /**
   * With `bearer-or-session`, access tokens for the API are accepted too, unless this sentence is set. It
   * states the reason and an alternative, and is the message of the 403
   */
  refusesAccessTokens?: string;
  /** What the caller must be allowed to do. It is checked once the input is. Default: nothing */
  needs?: Needs;
  /** Whether the caller needs access to all brands of the organization */
  allBrands?: true;
  /** Rate-limit policy. Default: `service` */
  limit?: PolicyName;
  deprecated?: Deprecation;
  /** Path parameters. They arrive as strings, which the schema may transform */
  params?: Params;
  query?: Query;
  /** JSON body of a POST */
  body?: Body;
  /** Limits of the JSON body. Default: `JSON_BODY` */
  bodyBounds?: JsonBounds;
  /** Whether the fields of the JSON body may also come as an HTML form, from tools that can't send JSON */
  formBody?: true;
  /** Whether the body is an HTML form. The handler receives its fields as `FormFields` */
  form?: true;
  /**
   * Set if the body is a file: its maximum size in bytes, and its media types for the documentation. The handler
   * receives it as `file`, and reads it piece by piece.
   */
  file?: { bytes: number; types: Readonly<Record<string, string>> };
  /** Set if the form may contain files: their maximum total size in bytes */
  uploadBytes?: number;
  /** Can refuse a request before its body is read. @throws ServiceError */
  beforeBody?(request: { headers: IncomingHttpHeaders }): Promise<void> | void;
  /** Whether pages of other origins may not read the answer, even with `auth: 'none'` */
  private?: true;
  /** Bodies that work unchanged with the sample data */
  bodyExamples?: Record<string, { summary: string; value: z.input<Body> }>;
  /** The answers of `handle`, by status */
  answers: Answers;
  /**
   * Statuses of the Error object that `handle` may throw. Some follow from the declaration: 400 from any
   * input, 413 and 415 from a body, 401 and 503 from `auth`, 406 from several media types. All operations
   * may answer 429.
   */
  errors?: readonly ErrorStatus[];
  /** Example messages for the OpenAPI document */
  errorExamples?: Partial<Record<ErrorStatus, string>>;
  /** Presents failures in the format of a protocol. Default: the Error object */
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
  /** The request's body; undefined if the request failed before its body was parsed */
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

type AnswerDeclarations = Readonly<Record<number, AnswerDeclaration>>;

export type AnswerDeclaration = JsonDeclaration | BytesDeclaration | EmptyDeclaration;

interface CommonDeclaration {
  description: string;
  /** The body is a `PreparedAnswer`, sent with ETag and Cache-Control */
  cached?: boolean;
  /** The body is a picture, whose header `Map-Zip-Codes` counts its ZIP codes */
  countsZips?: boolean;
}

interface JsonDeclaration extends CommonDeclaration {
  schema: z.ZodType;
  /** A complete example. Default: the first example in the schema's metadata */
  example?: unknown;
  /**
   * Media types, the default first. Default: `application/json`. If there are several, the Accept header
   * selects one, and `request.type` contains it.
   */
  types?: readonly string[];
}

/** An answer that isn't JSON. */
interface BytesDeclaration extends CommonDeclaration {
  /** Media type */
  type: string;
  /** For text formats */
  example?: string;
  /** Media types that the path or the body can select instead */
  otherTypes?: readonly string[];
  /** Examples of the other media types: texts, or values for JSON */
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
 * Fails to compile if a body has fields that its schema doesn't declare. TypeScript itself doesn't check
 * the return values of function expressions for excess properties.
 */
type NoUndeclaredFields<Result, Answers extends AnswerDeclarations> = [
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
  /** The pieces of a declared `file`. @throws ServiceError while reading: 413, 415, or 400 */
  file: AsyncIterable<Uint8Array>;
  /** The media type that the Accept header selected, if an answer declares several */
  type?: string;
  /** The sender of the request. Undefined at run time if the operation needs no credential, and none was sent */
  caller: RequestCaller;
  /** Network address of the client */
  client: string;
  /** Path and query, as sent */
  target: string;
  /** For protocols with their own headers */
  headers: IncomingHttpHeaders;
  /** Aborts when the client disconnects before the end of the answer */
  signal: AbortSignal;
  /** Adds a caller that the handler identified to the request's log lines. */
  identify(caller: unknown): void;
  /** Fields of log lines about this request: its id, its trace, and its caller */
  logFields(): Record<string, unknown>;
}

/** The part of a request that doesn't depend on the sender. */
export type RequestInput = Pick<Request, 'params' | 'query' | 'body' | 'type'>;

export interface Answer<Status extends number = number, Body = unknown> {
  status: Status;
  /** Sent as JSON, unless it's a `PreparedAnswer` or bytes */
  body: Body;
  headers?: Record<string, string>;
  /** `Set-Cookie` values */
  cookies?: readonly string[];
}

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 406 | 409 | 413 | 415 | 429 | 503;

/** Checks a handler against the types of its declaration, then removes the types. Adds default examples. */
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

/** The media types that the Accept header can select; undefined if there is only one. */
export function typesToChoose(op: Operation): readonly string[] | undefined {
  const choices = Object.values(op.answers).flatMap((answer) =>
    'types' in answer && answer.types ? [answer.types] : [],
  );
  return choices[0];
}

export type Inputs = Pick<Operation, 'params' | 'query' | 'body'>;

/** The schemas of the params, query, and body that an operation declares. */
export function inputs(op: Inputs) {
  return [
    ['params', op.params],
    ['query', op.query],
    ['body', op.body],
  ].filter((input): input is ['params' | 'query' | 'body', z.ZodType] => input[1] !== undefined);
}
