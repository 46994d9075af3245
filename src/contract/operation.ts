/**
 * An operation of the REST interface, declared once. From the declaration come its route, the check
 * of its requests, the check of its answers in tests, and its part of the OpenAPI document.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { ServiceError } from '../errors.ts';
import type { PolicyName } from './limits.ts';

export interface Operation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  /** Unique; `operationId` of the document */
  id: string;
  method: 'get' | 'post';
  /** Relative to the API's root, parameters in braces: `/public/zip/{zip}` */
  path: string;
  tag: string;
  /** One line */
  summary: string;
  /** As much as a reader needs, in Markdown */
  description: string;
  /** `none`; or an API key, and besides that a connector's access token or a signed-in session */
  auth: 'none' | 'bearer-or-connector' | 'bearer-or-session';
  /** How often it may be called; left out: `service` */
  limit?: PolicyName;
  /** What goes away, when, and what comes in its place (paths): RFC 9745 and RFC 8594 */
  deprecated?: Deprecation;
  /** Path parameters, all of them texts; transforms make them what the handler wants */
  params?: Params;
  query?: Query;
  /** JSON body of a POST */
  body?: Body;
  /** The body is an HTML form's instead: the handler is given its fields, as `URLSearchParams` */
  form?: true;
  /** Of a form: it may hold files, of so many bytes in all; a file's field is its text */
  uploadBytes?: number;
  /** Turns away who may send no body, before any of it is read. @throws ServiceError */
  beforeBody?(request: { headers: IncomingHttpHeaders }): Promise<void> | void;
  /** For one person's eyes: pages of other origins may not read it, though it asks for no key */
  private?: true;
  /** Bodies that work as they stand on the sample data, by what they show */
  bodyExamples?: Record<string, { summary: string; value: z.input<Body> }>;
  /** What it answers when all goes well, by status (503 of the health check is such an answer too) */
  answers: Record<number, AnswerDeclaration>;
  /**
   * Statuses of the Error object that it may answer. 400 follows from having any input, 413 and 415
   * from having a body, 401 and 503 from `auth`, 406 from having several media types; every
   * operation may answer 429.
   */
  errors?: readonly ErrorStatus[];
  /** The sentence of an error as a client of this operation would read it, for the document */
  errorExamples?: Partial<Record<ErrorStatus, string>>;
  handle(request: Request<Params, Query, Body>): Promise<Answer>;
  /**
   * Answers a body that is not what `body` asks for, where a protocol has words of its own for that;
   * left out: the Error object.
   */
  malformed?(problem: { error: ServiceError; isJson: boolean }): Answer;
}

/** Days as `YYYY-MM-DD`; at least a year lies between them. */
export interface Deprecation {
  since: string;
  sunset: string;
  successors: readonly string[];
}

export type AnswerDeclaration = JsonDeclaration | BytesDeclaration | EmptyDeclaration;

interface CommonDeclaration {
  description: string;
  /** It is a `PreparedAnswer`, sent with ETag and Cache-Control; left out: it is not */
  cached?: boolean;
}

interface JsonDeclaration extends CommonDeclaration {
  schema: z.ZodType;
  /** A full one, as a client would see it */
  example: unknown;
  /**
   * What it comes as, the default first; left out: `application/json`. Of several, the request's
   * Accept header chooses, and the handler is told as `request.type`.
   */
  types?: readonly string[];
}

/** An answer that is no JSON: a `PreparedAnswer` of that type. */
interface BytesDeclaration extends CommonDeclaration {
  /** Media type */
  type: string;
  /** Of a text */
  example?: string;
}

/** An answer that says all by its status. */
interface EmptyDeclaration extends CommonDeclaration {
  empty: true;
}

export interface Request<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  /** The media type chosen, where an answer is declared with several */
  type?: string;
  /**
   * Who asks, as the door knows them: present where `auth` asks for a credential. The contract does
   * not know what a caller is.
   */
  caller?: unknown;
  /** The network that the request comes from */
  client: string;
  /** For what a protocol writes there; all else is declared */
  headers: IncomingHttpHeaders;
  /** Fires when the client hangs up before it has its answer: work for it can be broken off */
  signal: AbortSignal;
}

/** What a request asks for, the same for all who ask it. */
export type RequestInput = Omit<Request, 'caller' | 'client' | 'headers' | 'signal'>;

export interface Answer {
  status: number;
  /** Sent as JSON; a `PreparedAnswer` as its bytes, with ETag and compression */
  body: unknown;
  headers?: Record<string, string>;
}

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 406 | 409 | 413 | 415 | 429 | 503;

/** Ties a declaration's schemas to the types its handler sees. */
export function operation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
>(declaration: Operation<Params, Query, Body>): Operation {
  return declaration as unknown as Operation;
}

/** The media types between which the Accept header chooses; undefined where there is no choice. */
export function typesToChoose(op: Operation): readonly string[] | undefined {
  const choices = Object.values(op.answers).flatMap((answer) =>
    'types' in answer && answer.types ? [answer.types] : [],
  );
  return choices[0];
}

/** Path parameters, query and body of an operation that it declares, with where they travel. */
export function inputs(op: Operation) {
  return [
    ['params', op.params],
    ['query', op.query],
    ['body', op.body],
  ].filter((input): input is ['params' | 'query' | 'body', z.ZodType] => input[1] !== undefined);
}
