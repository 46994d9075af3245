/**
 * Sends random requests to every operation that needs no credential or that reads with a key.
 * Requests are generated from the declarations, so new operations are covered.
 */
import { METHODS } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import type { Operation } from '../../../src/base/contract/operation.ts';
import { describeParameters } from '../../../src/base/contract/openapi.ts';
import { ErrorBody } from '../../../src/base/contract/schemas.ts';
import { SERVICE_VERSION } from '../../../src/base/contract/version.ts';
import { makeDemo } from '../../../src/territories/demo/demo.ts';
import { memoryLimiter } from '../../../src/people/metering/limiter.ts';
import { render } from '../../../src/render/render.ts';
import { createPlan } from '../../../src/territories/plans/plans.ts';
import { PlanSettings } from '../../../src/territories/plans/settings.ts';
import { EXAMPLE_TOKEN } from '../../../src/territories/share/token.ts';
import { SUBJECTS } from '../../../src/territories/static/subject.ts';
import { bareOperations, serveBare } from '../../support/bare-app.ts';
import { SAMPLE_STREETS } from '../../../src/base/geodata/project-files.ts';
import { openStreets } from '../../../src/data/streets/streets.ts';
import { testDatabase } from '../../support/database.ts';
import { isFault, testLog } from '../../support/log.ts';
import { askEncoded } from '../../support/raw-http.ts';
import { casesOf, runs } from '../../support/thorough.ts';

const REQUESTS_EACH = runs(60);
const TIMEOUT_MS = 10_000;

const { db } = await testDatabase('sample');
const tester = { kind: 'operator', id: null, name: 'Tests' } as const;
// Its brand and its share link are those in the examples.
const demo = (await makeDemo(db))!;
const tenant = tenantOf(db, demo.organization.id);
await changeSubscription(tenant, { status: 'active', monthlyUnits: 2_000_000_000 });
// The link to a plan in the examples
const planId = await tenant.transaction((tx) =>
  createPlan(tx, tester, {
    name: 'Dallas',
    market: '1 ZIP code',
    zips: ['75201'],
    territories: [],
    dataSets: [],
    settings: PlanSettings.parse({}),
  }),
);
await db.query(
  `insert into plan_shares (id, organization_id, plan_id, code, created_by, expires_at)
   values ($1, $2, $3, 'plan-of-tests', $4, now() + interval '1 day')`,
  [EXAMPLE_TOKEN, demo.organization.id, planId, tester],
);

const faults: string[] = [];
const log = testLog((line) => {
  if (isFault(line)) faults.push(line);
});
let clients = 0;
const limiter = memoryLimiter();
// The address in the examples
const apiRoot = () => 'https://territory.example.com';
const parts = {
  db,
  renderer: mapsWith({ render }),
  streets: await openStreets(SAMPLE_STREETS, log),
  log,
  apiRoot,
  limiter,
  // Each request has its own limits.
  clientOf: () => String(clients++),
};
const port = await serveBare(parts, '');
afterEach(() => {
  const logged = faults.splice(0);
  if (logged.length > 0) throw new Error(`unexpected failures in the log: ${logged.join('')}`);
});

interface Parameter {
  name: string;
  in: 'path' | 'query';
  example?: unknown;
  schema: {
    enum?: string[];
    type?: string;
    minimum?: number;
    maximum?: number;
    pattern?: string;
    default?: unknown;
    example?: unknown;
  };
}

const tried = bareOperations(parts).filter(
  ({ auth, method, path }) =>
    auth === 'none' || (method === 'get' && /^\/(static|brands)\//.test(path)),
);
const takesKey = ({ auth }: Pick<Operation, 'auth'>) => auth !== 'none';
const parametersOf = ({ params, query }: Operation) =>
  [
    ...describeParameters(params, 'path'),
    ...describeParameters(query, 'query'),
  ] as unknown as Parameter[];

/** Valid texts of parameters with their own syntax. Pictures are small, because drawing is costly. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  subject: Object.values(SUBJECTS).map(({ example }) => example),
  view: ['auto', '-96.8,32.78,9.5', '179.9,-16,0', '-97,32.5,-96.5,33', '-180,-85,180,85'],
  size: ['64x64', '90x64@2x', '120x80@3x'],
  padding: ['0', '10', '20,5', '1,2,3,4', '500'],
  markers: ['-96.8,32.78', '-96.8,32.78,e11d48,A;179.9,85,fa0'],
};

/** Generates values that the parameter's schema allows. */
function validValues({ name, example, schema }: Parameter): fc.Arbitrary<string> {
  if (Object.hasOwn(TEXTS, name)) return fc.constantFrom(...TEXTS[name]!);
  const examples = [example, schema.example, schema.default].filter((v) => v !== undefined);
  const choices: fc.Arbitrary<unknown>[] = examples.map((value) => fc.constant(value));
  if (schema.enum) choices.push(fc.constantFrom(...schema.enum));
  if (schema.pattern) choices.push(fc.stringMatching(new RegExp(schema.pattern)));
  if (schema.type === 'integer') {
    choices.push(fc.integer({ min: schema.minimum, max: schema.maximum }));
  }
  return fc.oneof(...choices, ...(choices.length === 0 ? [fc.string()] : [])).map(String);
}

const NASTY = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '%',
  '%2e%2e',
  '%00',
  '\0',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  '０',
  '٣',
  "' or 1=1 --",
  '"><script>',
  '${7*7}',
  '{{7*7}}',
  '💥',
  '﻿',
  '🏳️‍🌈',
  '*',
  '[]',
  '{}',
];
const nasty = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[0-9]{1,9}$/),
  fc.integer({ min: 100, max: 12_000 }).map((length) => 'a'.repeat(length)),
);

/** Ways to write a text in a URL: encoded, encoded twice, or mostly unencoded */
const encodings: ((text: string) => string)[] = [
  encodeURIComponent,
  encodeURIComponent,
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => text.replaceAll(/[^\u0021-\u00FF]/gu, (odd) => encodeURIComponent(odd)),
];

/** Generates a parameter's text in a URL; three in four values are valid. */
function encodedValues(parameter: Parameter): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 3, arbitrary: validValues(parameter) },
    { weight: 1, arbitrary: nasty },
  );
  return fc.tuple(value, fc.constantFrom(...encodings)).map(([text, encode]) => encode(text));
}

function urlOf(op: Operation): fc.Arbitrary<string> {
  const parameters = parametersOf(op);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const path = fc
    .tuple(...inPath.map(encodedValues))
    .map((values) =>
      inPath.reduce(
        (filled, { name }, i) => filled.replace(`{${name}}`, () => values[i]!),
        op.path,
      ),
    );
  // Each parameter occurs up to twice, and so does an unknown one.
  const key = (name: string, value: fc.Arbitrary<string>) =>
    fc.array(
      value.map((text) => `${name}=${text}`),
      { maxLength: 2 },
    );
  const unknown = key('unknown', nasty.map(encodeURIComponent));
  const query = fc
    .tuple(...inQuery.map((parameter) => key(parameter.name, encodedValues(parameter))), unknown)
    .map((keys) => keys.flat().join('&'));
  return fc.tuple(path, query).map(([p, q]) => (q === '' ? p : `${p}?${q}`));
}

/** Returns the URL with the declaration's examples, except for `values`. */
function exampleUrl(op: Operation, values: Record<string, string> = {}): string {
  let path = op.path;
  const query = new URLSearchParams();
  for (const parameter of parametersOf(op)) {
    const { name, example, schema } = parameter;
    const value = values[name] ?? example ?? schema.example ?? schema.default;
    // An optional parameter without an example
    if (value === undefined) continue;
    if (parameter.in === 'query') query.set(name, String(value));
    else path = path.replace(`{${name}}`, () => encodeURIComponent(String(value)));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

const bearer = { Authorization: `Bearer ${demo.key}` };

const method = fc.oneof(
  { weight: 4, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT')) },
);

/** Node refuses to send control characters in headers. */
const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 300 });
const headers = fc.record(
  {
    Accept: fc.oneof(fc.constantFrom('*/*', 'text/html', 'application/yaml', 'x'), headerText),
    'Accept-Encoding': fc.oneof(fc.constantFrom('br', 'gzip;q=0', '*;q=0', 'zstd'), headerText),
    'If-None-Match': fc.oneof(fc.constantFrom('*', '"a"', 'W/"a", "b"'), headerText),
    'If-Modified-Since': headerText,
    Range: fc.constantFrom('bytes=0-0', 'bytes=-1', 'lines=1'),
    Origin: fc.constantFrom('null', 'https://brand.example'),
    'X-Forwarded-For': headerText,
    'X-Request-Id': headerText,
    Cookie: headerText,
    Authorization: headerText,
  },
  { requiredKeys: [] },
);

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const send = (sent: Sent) => askEncoded({ port, ...sent, timeout: TIMEOUT_MS });

const LIMITS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/** Text that must never reach clients: stack traces, and messages of the database or runtime. */
const INTERNALS = /\n\s+at |\.[jt]s:\d|node_modules|syntax error|invalid byte sequence/;

/**
 * Returns the problems of an answer.
 * @param mayBePage whether the failure may be an HTML page, as outside the API
 */
function faultsOf(sent: Sent, reply: Awaited<ReturnType<typeof send>>, mayBePage: boolean) {
  const { status, headers, body } = reply;
  const found = LIMITS.filter((name) => headers[name] === undefined);
  if (headers['service-version'] !== SERVICE_VERSION) found.push('no Service-Version');
  if (status >= 500) found.push(`the status ${status}`);
  if (status < 400) return found;
  if (headers['cache-control']?.includes('max-age')) found.push('a cacheable failure');
  if (INTERNALS.test(body.toString())) found.push('internals');
  const type = headers['content-type'];
  if (mayBePage && type === 'text/html; charset=utf-8') return found;
  if (type !== 'application/json; charset=utf-8') found.push(`the type ${type}`);
  if (sent.method !== 'HEAD' && !isErrorObject(body.toString())) found.push('no Error object');
  return found;
}

function isErrorObject(text: string): boolean {
  const { success, data } = ErrorBody.strict().safeParse(JSON.parse(text));
  return success && data.error !== '';
}

async function expectValidAnswer(sent: Sent, mayBePage = false): Promise<number> {
  const reply = await send(sent);
  expect([sent.path, ...faultsOf(sent, reply, mayBePage)]).toEqual([sent.path]);
  return reply.status;
}

describe.each(tried.map((op) => [op.path, op] as const))('%s', (_path, op) => {
  it('returns a declared answer or error for random requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ method, path: urlOf(op), headers }), async (sent) => {
        const signed = takesKey(op) && fc.hash(sent.path) % 4 > 0 && bearer;
        await expectValidAnswer({ ...sent, headers: { ...sent.headers, ...signed } } as Sent);
      }),
      { numRuns: REQUESTS_EACH },
    );
  });

  it('returns 200 for the example in its declaration', async () => {
    const [example] = Object.values(op.bodyExamples ?? {});
    const headers = {
      ...(takesKey(op) && bearer),
      ...(example && { 'Content-Type': 'application/json' }),
    };
    const body = example && JSON.stringify(example.value);
    const sent = {
      method: op.method.toUpperCase(),
      path: exampleUrl(op),
      headers,
      ...(body && { body }),
    };
    expect(await expectValidAnswer(sent)).toBe(200);
  });

  it('returns a declared answer or error for odd text in each parameter', async () => {
    const headers = takesKey(op) ? bearer : {};
    for (const { name } of parametersOf(op)) {
      // Each text is tried with a third of all parameters, and with all of them in three days.
      for (const odd of casesOf(NASTY, 1 / 3)) {
        const path = exampleUrl(op, { [name]: odd });
        await expectValidAnswer({ method: op.method.toUpperCase(), path, headers });
      }
    }
  });
});

describe('an undeclared path', () => {
  it('returns a valid error', async () => {
    const path = fc
      .array(fc.tuple(nasty, fc.constantFrom(...encodings)), { maxLength: 4 })
      .map((segments) => `/${segments.map(([text, encode]) => encode(text)).join('/')}`);
    await fc.assert(
      fc.asyncProperty(fc.record({ method, path, headers }), async (sent) => {
        await expectValidAnswer(sent as Sent, true);
      }),
      { numRuns: 2 * REQUESTS_EACH },
    );
  });
});
