/** The documents that let connectors find the authorization server. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { notFound } from '../../errors.ts';
import {
  addressesOf,
  RESOURCE_METADATA,
  resourceMetadata,
  SERVER_METADATA,
  serverMetadata,
  type Addresses,
} from '../../oauth/discovery.ts';
import { data } from '../framework/data.ts';
import type { Operation } from '../../contract/operation.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Each document has two addresses: the plain one, and one that ends with the path of its subject (RFC 8414,
 * 3.1; RFC 9728, 3.1).
 */
export function connectorDiscovery(roots: () => Roots): Operation[] {
  const addresses = () => addressesOf(roots());
  const about =
    (document: (of: Addresses) => object, paths: (of: Addresses) => string[]) =>
    (rest?: string) => {
      const of = addresses();
      if (rest === undefined || paths(of).includes(`/${rest}`)) return JSON.stringify(document(of));
      throw notFound(`/${rest} neither issues nor accepts tokens.`);
    };
  const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');
  return [
    ...atBoth(
      RESOURCE_METADATA,
      about(resourceMetadata, ({ site, mcp }) => [pathOf(mcp), mcp.slice(site.length)]),
    ),
    ...atBoth(
      SERVER_METADATA,
      about(serverMetadata, ({ site }) => [pathOf(site)]),
    ),
  ];
}

function atBoth(path: string, make: (rest?: string) => string): Operation[] {
  const common = { audience: 'public', type: JSON_TYPE, limit: 'well-known' } as const;
  return [
    data({ ...common, path, make: async () => make() }),
    data({
      ...common,
      path: `${path}/*rest`,
      params: z.object({ rest: z.string() }),
      make: async ({ rest }) => make(rest),
    }),
  ];
}
