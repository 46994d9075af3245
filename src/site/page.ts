/**
 * A page or file at the site's root: for people, crawlers and agents, outside the contract. It is
 * made once, kept, and sent compressed with an ETag.
 */
import type { z } from 'zod';
import type { PolicyName } from '../contract/limits.ts';

export interface SitePage<Params extends z.ZodObject = z.ZodObject> {
  /** From the site's root, parameters in braces: `/metros/{metroSlug}/{vertical}` */
  path: string;
  /** Media type; `HTML` for pages */
  type: string;
  /** How often it may be called; left out: `site` */
  limit?: PolicyName;
  /** Path parameters, all of them texts */
  params?: Params;
  /** How long browsers may keep it without asking again; left out: a day */
  maxAgeSeconds?: number;
  /** Headers of its own, asked for with each answer */
  headers?(): Record<string, string>;
  /** Names the data it is made of: other data make it anew. Left out: nothing that changes */
  stamp?(): Promise<string>;
  /** @throws ServiceError 404 where the parameters name nothing */
  make(params: z.output<Params>): Promise<string | Uint8Array>;
}

export const HTML = 'text/html; charset=utf-8';
export const MARKDOWN = 'text/markdown; charset=utf-8';

/** Of what has another address whenever it is another: nobody need ask again. */
export const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Ties a page's parameters to the type its maker sees. */
export function sitePage<Params extends z.ZodObject = z.ZodObject>(
  page: SitePage<Params>,
): SitePage {
  return page as unknown as SitePage;
}
