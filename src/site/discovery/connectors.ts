/** The documents that let connectors find the authorization server. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { notFound } from '../../errors.ts';
import {
  addressesOf,
  KEYS,
  OPENID_METADATA,
  openIdMetadata,
  RESOURCE_METADATA,
  resourceMetadata,
  SERVER_METADATA,
  serverMetadata,
  type Addresses,
} from '../../oauth/discovery.ts';
import { data } from '../framework/data.ts';
import type { Operation } from '../../contract/operation.ts';

const COMMON = {
  audience: 'public',
  type: 'application/json; charset=utf-8',
  limit: 'well-known',
} as const;

const DOCUMENTS: readonly [path: string, document: (of: Addresses) => object][] = [
  [RESOURCE_METADATA, resourceMetadata],
  [SERVER_METADATA, serverMetadata],
  [OPENID_METADATA, openIdMetadata],
];

/**
 * A client that knows only the URL of the endpoint puts its path after the well-known path (RFC 8414, 3.1;
 * RFC 9728, 3.1), before it (OpenID Connect Discovery 1.0, 4), or leaves it out.
 */
export function connectorDiscovery(roots: () => Roots): Operation[] {
  const documents = DOCUMENTS.map(([path, document]) =>
    data({
      ...COMMON,
      path: `{/*before}${path}{/*after}`,
      params: z.object({ before: z.string().optional(), after: z.string().optional() }),
      async make({ before, after }) {
        const of = addressesOf(roots());
        const subject = pathOf(before) + pathOf(after);
        if (subjects(of).includes(subject)) return JSON.stringify(document(of));
        throw notFound(`${subject} neither issues nor accepts tokens.`);
      },
    }),
  );
  return [...documents, data({ ...COMMON, path: KEYS, make: async () => '{"keys":[]}' })];
}

/** The paths of the site, the API, and the MCP endpoint: in public, and behind a proxy that removes the site's path. */
const subjects = ({ site, api, mcp }: Addresses) =>
  [site, api, mcp].flatMap((url) => [
    pathOf(new URL(url).pathname.slice(1)),
    url.slice(site.length),
  ]);

const pathOf = (segments = '') => (segments === '' ? '' : `/${segments.replace(/\/$/, '')}`);
