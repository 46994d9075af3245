/** What the OpenAPI document says of the interface as a whole. */
import { SERVICE_VERSION } from '../version.ts';

export interface Roots {
  /** Where people reach the interface, base path and all; like the other without a slash at the end */
  api: string;
  /** Where the pages and the discovery files are */
  site: string;
}

export const TITLE = 'Territory Intelligence Service';

/** One paragraph, for whoever reads only that */
export const ABSTRACT =
  'Scores every US ZIP code from 0 to 100 for demand in a home-services vertical, from Census ACS ' +
  '5-Year data, and draws the scores as maps. The public layer needs no credential: methodology, ' +
  'summaries, and sampled rankings of the launched verticals in the launched metros.';

const CONVENTIONS = `
## Credentials

What lies under \`/agent\`, and \`/mcp\`, needs an API key, sent as
\`Authorization: Bearer svc_live_…\`. Without a valid one the answer is 401; without a subscription or
a running trial it is 402 with the code \`subscription_required\`.

## Units

A plan includes so many units a month, UTC. A call of a tool, and a territory plan, takes its units
before the work and has them back where it fails. Once too few are left the answer is 402 with the code
\`usage_quota_exceeded\` and the meter as \`usage\`; while usage cannot be recorded it is 503, and
nothing is served. \`/mcp/info\` tells what each tool costs.

## Errors

Every error is an object with \`error\`, a sentence for people, and mostly \`code\`, the same for
programs. A path that does not exist is 404, a method that a path does not have is 405 with \`Allow\`,
and a failure of the service itself is 500 with the id of the request.

## Limits

Every answer tells in \`RateLimit\` and \`RateLimit-Policy\` how many requests are left and how many
there are; \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` tell the same of the tightest limit, where
several hold. Too many are 429 with \`Retry-After\`. What is called with a key also spends the key's own
budget, the limits \`mcp\` and \`mcp-day\`.

## Caching

Answers with an \`ETag\` may be kept for as long as \`Cache-Control\` says, and are 304 without a body
to whoever sends the ETag back as \`If-None-Match\`. \`HEAD\` works wherever \`GET\` does, and pages of
any origin may read what needs no credential.

## Versions

The interface is versioned by date: \`info.version\` is also the \`Service-Version\` header of every
answer. New endpoints, optional request fields, response fields and enum members come without notice,
so clients must ignore what they do not know. What is to go away is marked as deprecated and tells when
in its \`Deprecation\` and \`Sunset\` headers; at least a year lies between the two.
`;

/** In the order in which readers meet them */
const TAGS: Record<string, string> = {
  Service: 'Is the service well?',
  'Public data':
    'Scores and rankings that need no credential: launched verticals in launched metros.',
  Maps: 'Basemap, vector tiles, styles, fonts and pictures, for those who draw maps.',
  'Shared maps': 'What whoever has a share link may see of a territory.',
  Contract: 'The interface in a form that programs read.',
  Agents: 'For AI agents and integrations, with an API key or a signed-in session.',
};

export function describeTags(used: readonly string[]) {
  const order = [...new Set([...Object.keys(TAGS), ...used])];
  return order
    .filter((name) => used.includes(name))
    .map((name) => ({ name, ...(TAGS[name] && { description: TAGS[name] }) }));
}

export const describeInfo = ({ site }: Roots) => ({
  title: TITLE,
  version: SERVICE_VERSION,
  summary: 'Demand scores, territories and maps for home-services brands',
  description: `${ABSTRACT}\n${CONVENTIONS}`,
  contact: { name: 'Territory Intelligence', url: site },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
});
