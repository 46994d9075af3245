/** General information in the OpenAPI document. */
import { SERVICE_VERSION } from '../version.ts';

export interface Roots {
  /** URL of the API, including the base path. Neither URL ends with a slash. */
  api: string;
  /** URL of the web pages and discovery files */
  site: string;
}

export const TITLE = 'Territory Intelligence Service';

export const ABSTRACT =
  'Scores every US ZIP code from 0 to 100 for demand in a home-services vertical, based on Census ACS ' +
  '5-Year data, and renders the scores as maps. The public layer needs no credential: it has the ' +
  'methodology, summaries, and sampled rankings of the launched verticals in the launched metros.';

const CONVENTIONS = `
## Authentication

Operations under \`/agent\`, and \`/mcp\`, require an API key. Send it as
\`Authorization: Bearer svc_live_…\`. They also accept access tokens, which people
grant to programs with OAuth 2.1. Requests without a valid credential get 401. Requests of an organization
without a subscription or a current trial get 402 with the code \`subscription_required\`.

## Units

A subscription includes a number of units per month (UTC). Each tool call and each territory subscription reserves its
units before it runs and returns them if it fails. If not enough units are left, the response is 402
with the code \`usage_quota_exceeded\` and the meter in \`usage\`. If usage can't be recorded, the
response is 503 and the call isn't served. \`/mcp/info\` lists the cost of each tool.

A subscription may also limit the number of different ZIP codes per month whose figures are returned: census
values and scores. A call that needs more gets 402 with the code
\`zip_limit_exceeded\` and the meter in \`figures\`. \`/agent/capabilities\` returns the limit and its use.

## Errors

Every error is an object with \`error\`, a message for people, and usually \`code\`, a code for programs.
Unknown paths return 404. Known paths with an unsupported method return 405 with \`Allow\`. Failures on
our side return 500 with the request id.

## Rate limits

Every response has the headers \`RateLimit\` (requests left) and \`RateLimit-Policy\` (requests allowed).
\`X-RateLimit-Limit\`, \`-Remaining\`, and \`-Reset\` describe the tightest policy if several apply.
Requests over the limit return 429 with \`Retry-After\`. Requests with an API
key, other than for maps, also count against the key's own policies, \`mcp\` and \`mcp-day\`.

## Caching

Responses with an \`ETag\` may be cached for the time in \`Cache-Control\`. To revalidate, send the
ETag as \`If-None-Match\`; if the content hasn't changed, the response is 304 without a body. \`HEAD\`
works wherever \`GET\` does. Web pages of any origin may read operations that need no credential.

## Versions

The API is versioned by date. The version is \`info.version\` in this document and the
\`Service-Version\` header of every response. New endpoints, optional request fields, response fields,
and enum members may appear without notice, so clients must ignore what they don't know. Operations
scheduled for removal are marked as deprecated and send \`Deprecation\` and \`Sunset\` headers, whose
dates are at least a year apart.
`;

/** In display order */
const TAGS: Record<string, string> = {
  Service: 'Health of the service.',
  'Public data':
    'Scores and rankings of the launched verticals in the launched metros. No credential required.',
  Maps: 'Basemap layers, vector tiles, styles, fonts, and pictures for your own maps.',
  'Static maps': 'Pictures and raster tiles that a URL describes, for websites and print.',
  'Shared maps': 'Territory maps that can be opened with a share link.',
  Locators:
    'Pages and forms that tell customers who serves them, and candidates whether an area is available.',
  Contract: 'This contract in machine-readable form.',
  Agents: 'For AI agents and integrations, with an API key or a signed-in session.',
  Plans: 'Named drafts of territories over a market: edit, compare, and apply them.',
  'Own data': 'The organization’s own amounts by ZIP code, such as jobs or revenue.',
  Places:
    'Offices, stores, competitors, and other places of the organization, and how customers reach its brands.',
  Census: 'What the census says has changed, with margins of error.',
  Record:
    'Territories over time: who held a ZIP code, the days of changes, comparisons, and the terms of agreements.',
  Lookups: 'Which brand serves a ZIP code, a point, or an address, one by one and in bulk.',
  Changes:
    'Changes of territories that are reviewed as one, go live as one, now or on a day, and are undone as one.',
  Groups: 'Groups of brands: rules against overlap, existing overlaps, and reserved ZIP codes.',
  Events: 'What happened in the organization, as a feed.',
  Webhooks: 'Addresses of other systems that get the events, and the requests that are sent there.',
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
  summary: 'Demand scores, territories, and maps for home-services brands',
  description: `${ABSTRACT}\n${CONVENTIONS}`,
  contact: { name: 'Territory Intelligence', url: site },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
});
