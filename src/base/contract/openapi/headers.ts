/** Response headers in the OpenAPI document. */
import { POLICIES } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { SERVICE_VERSION } from '../version.ts';
import { formatZipCounts } from '../zip-counts.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

const number = (description: string, minimum: number, example: number) => ({
  description,
  schema: { type: 'integer', minimum },
  example,
});

/** `components.headers` */
export const HEADERS = {
  'Service-Version': text('Version of the contract', SERVICE_VERSION),
  RateLimit: text(
    'Policy name, `r` requests left, `t` seconds until the limit resets (IETF draft, structured field)',
    `"public";r=${POLICIES.public.quota - 1};t=42`,
  ),
  'RateLimit-Policy': text(
    'Policy name, `q` requests per window of `w` seconds (IETF draft, structured field)',
    `"public";q=${POLICIES.public.quota};w=${POLICIES.public.windowSeconds}`,
  ),
  'X-RateLimit-Limit': number('Requests per window', 1, POLICIES.public.quota),
  'X-RateLimit-Remaining': number('Requests left in this window', 0, POLICIES.public.quota - 1),
  'X-RateLimit-Reset': number('When the limit resets, in Unix seconds', 0, 1_787_356_800),
  'Retry-After': number('Seconds to wait before the next request', 1, 42),
  ETag: text(
    'Version of the content. Send it back as `If-None-Match` to revalidate.',
    '"qF2vbU8mX0"',
  ),
  'Cache-Control': text('How long the response may be cached', 'public, max-age=86400'),
  Vary: text('Request headers that affect the response', 'Accept-Encoding'),
  'Map-Zip-Codes': text(
    'ZIP codes of the picture: `drawn`; `unlabeled`, in view without a label or number; `missing`, not drawn ' +
      'for lack of a boundary; `elsewhere`, outside all panels (RFC 9651, dictionary of integers)',
    formatZipCounts({ drawn: 170, unlabeled: 20, missing: 3, elsewhere: 0 }),
  ),
  'WWW-Authenticate': text('How to authenticate (RFC 9110)', 'Bearer realm="territory"'),
  Deprecation: text('When the operation was deprecated (RFC 9745)', '@1787356800'),
  Sunset: text('When the operation will be removed (RFC 8594)', 'Sun, 22 Aug 2027 00:00:00 GMT'),
  Link: text('The operations that replace it', '</mcp/info>; rel="successor-version"'),
} as const;

type Name = keyof typeof HEADERS;

const ALWAYS = [
  'Service-Version',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] satisfies Name[];

/** References to the headers of an operation's response for a status. */
export function answerHeaders(op: Operation, status: number): Record<string, { $ref: string }> {
  const names: Name[] = [
    ...ALWAYS,
    ...((status === 304 || op.answers[status]?.cached
      ? ['ETag', 'Cache-Control', 'Vary']
      : []) as Name[]),
    ...((op.answers[status === 304 ? 200 : status]?.countsZips ? ['Map-Zip-Codes'] : []) as Name[]),
    ...((op.deprecated ? ['Deprecation', 'Sunset', 'Link'] : []) as Name[]),
    ...((status === 401 ? ['WWW-Authenticate'] : []) as Name[]),
    ...((status === 429 || (status === 503 && !op.answers[503]) ? ['Retry-After'] : []) as Name[]),
  ];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
