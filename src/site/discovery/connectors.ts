/** The documents by which connectors find the authorization server, at the site's root. */
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { notFound } from '../../errors.ts';
import {
  RESOURCE_METADATA,
  resourceMetadata,
  SERVER_METADATA,
  serverMetadata,
  type Addresses,
} from '../../oauth/discovery.ts';
import { sitePage, type SitePage } from '../page.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Each at its plain address and, as RFC 8414 (3.1) and RFC 9728 (3.1) want it, with the path of what
 * it is about after that.
 */
export function connectorDiscovery(roots: () => Roots): SitePage[] {
  const addresses = () => addressesOf(roots());
  const about =
    (document: (of: Addresses) => object, paths: (of: Addresses) => string[]) =>
    (rest?: string) => {
      const of = addresses();
      if (rest === undefined || paths(of).includes(`/${rest}`)) return JSON.stringify(document(of));
      throw notFound(`Nothing at /${rest} here gives or takes tokens.`);
    };
  const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');
  return [
    ...atBoth(
      RESOURCE_METADATA,
      about(resourceMetadata, ({ site, resource }) => [
        pathOf(resource),
        resource.slice(site.length),
      ]),
    ),
    ...atBoth(
      SERVER_METADATA,
      about(serverMetadata, ({ site }) => [pathOf(site)]),
    ),
  ];
}

export const addressesOf = ({ api, site }: Roots): Addresses => ({ site, resource: `${api}/mcp` });

function atBoth(path: string, make: (rest?: string) => string): SitePage[] {
  const common = { type: JSON_TYPE, limit: 'well-known' } as const;
  return [
    sitePage({ ...common, path, make: async () => make() }),
    sitePage({
      ...common,
      path: `${path}/*rest`,
      params: z.object({ rest: z.string() }),
      make: async ({ rest }) => make(rest),
    }),
  ];
}
