/** The compiler refuses answers that an operation doesn't declare: `tsc -p test` runs this test. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operation, type AnswerOf } from '../../../src/base/contract/operation.ts';
import { jsonText, PreparedAnswer } from '../../../src/base/contract/prepared.ts';
import { HealthStatus } from '../../../src/base/contract/schemas.ts';
import { preparedCache } from '../../../src/doors/http/answers/prepared-cache.ts';

const common = {
  id: 'getHealth',
  method: 'get',
  path: '/healthz',
  tag: 'Service',
  summary: 'Health',
  description: 'Health',
  auth: 'none',
} as const;
const example = { status: 'ok' } as const;
const json = { description: 'Health', schema: HealthStatus, example } as const;
const cachedJson = { ...json, cached: true } as const;
const png = { description: 'Picture', type: 'image/png' } as const;
const cachedPng = { ...png, cached: true } as const;
const empty = { description: 'Accepted', empty: true } as const;

const cached = preparedCache({});
const declared = [
  operation({
    ...common,
    answers: { 200: json, 202: empty, 503: json },
    handle: async ({ client }) => {
      if (client === 'a') return { status: 202, body: '' };
      return client === 'b'
        ? { status: 200, body: { status: 'ok' } }
        : { status: 503, body: { status: 'degraded' } };
    },
  }),
  operation({
    ...common,
    answers: { 200: cachedJson },
    handle: async () => ({
      status: 200,
      body: await cached('', async () => jsonText(HealthStatus, { status: 'ok' })),
    }),
  }),
  operation({
    ...common,
    answers: { 200: cachedPng },
    handle: async () => ({ status: 200, body: new PreparedAnswer(new Uint8Array(), 'image/png') }),
  }),
  operation({
    ...common,
    answers: { 200: png },
    handle: async () => ({ status: 200, body: Readable.from([]) }),
  }),
];

const undeclared = () => [
  operation({
    ...common,
    answers: { 200: json },
    // @ts-expect-error: the status isn't declared
    handle: async () => ({ status: 299, body: { status: 'ok' } }),
  }),
  operation({
    ...common,
    answers: { 200: json },
    // @ts-expect-error: the field is misspelled
    handle: async () => ({ status: 200, body: { sattus: 'perfect' } }),
  }),
  operation({
    ...common,
    answers: { 200: json },
    // @ts-expect-error: the value isn't in the enum
    handle: async () => ({ status: 200, body: { status: 'perfect' } }),
  }),
  // @ts-expect-error: the body has an undeclared field
  operation({
    ...common,
    answers: { 200: json },
    handle: async () => ({ status: 200, body: { status: 'ok', mood: 'good' } }),
  }),
  operation({
    ...common,
    answers: { 200: json, 202: empty },
    // @ts-expect-error: the body belongs to another status
    handle: async () => ({ status: 202, body: { status: 'ok' } }),
  }),
  operation({
    ...common,
    answers: { 200: cachedJson },
    // @ts-expect-error: the answer must be prepared
    handle: async () => ({ status: 200, body: { status: 'ok' } }),
  }),
  operation({
    ...common,
    answers: { 200: cachedJson },
    // @ts-expect-error: untyped text isn't the JSON that the schema declares
    handle: async () => ({ status: 200, body: await cached('', async () => '{"sattus":"ok"}') }),
  }),
  operation({
    ...common,
    answers: { 200: cachedJson },
    handle: async () => ({
      status: 200,
      // @ts-expect-error: the field is misspelled
      body: new PreparedAnswer(jsonText(HealthStatus, { sattus: 'ok' })),
    }),
  }),
  operation({
    ...common,
    answers: { 200: cachedJson },
    // @ts-expect-error: the text belongs to another schema
    handle: async () => ({
      status: 200,
      body: new PreparedAnswer(jsonText(z.object({ id: z.string() }), { id: 'a' })),
    }),
  }),
  operation({
    ...common,
    answers: { 200: cachedPng },
    // @ts-expect-error: JSON isn't a picture
    handle: async () => ({
      status: 200,
      body: new PreparedAnswer(jsonText(HealthStatus, { status: 'ok' })),
    }),
  }),
];

describe('the type of answers', () => {
  it('allows declared answers', () => {
    expect(declared).toHaveLength(4);
  });

  it('allows only the declared statuses and bodies', () => {
    const answer: AnswerOf<{ 200: typeof json; 202: typeof empty }> = { status: 202, body: '' };
    expect(answer.status).toBe(202);
    expect(undeclared).not.toThrow();
  });
});
