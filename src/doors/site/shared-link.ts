/** Pages of share links. Each shows its content, or states that the link is closed. */
import { createHash } from 'node:crypto';
import type { Roots } from '../../base/contract/openapi/about.ts';
import type { Answer } from '../../base/contract/operation.ts';
import { PreparedAnswer } from '../../base/contract/prepared.ts';
import { ServiceError } from '../../errors.ts';
import type { Headers } from '../http/answers/common-headers.ts';
import { REVALIDATE, SHARED } from '../http/shared/answers.ts';
import { Links } from './links.ts';
import { HTML } from './media-types.ts';

/** Common fields of the operations of such pages */
export const LINK_PAGE = {
  // The same policy as for the API of shared maps, because a page reveals as much about a token.
  limit: SHARED.limit,
  answers: {
    200: { description: 'The page', type: HTML, cached: true },
    404: { description: 'A page that says the link is closed', type: HTML, cached: true },
  },
  errors: [503],
} as const;

/**
 * @param closedPage the same page for unknown, revoked, and expired links, so that it doesn't reveal the
 *   cause
 */
export async function orClosedPage(
  roots: Roots,
  make: (links: Links) => Promise<Answer<200, PreparedAnswer>>,
  closedPage: (reason: string, links: Links) => string,
): Promise<Answer<200 | 404, PreparedAnswer>> {
  const links = new Links(roots);
  try {
    return await make(links);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    const page = new PreparedAnswer(closedPage(error.message, links), HTML);
    return { status: 404, headers: REVALIDATE, body: page };
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/**
 * Headers of such a page. The policy is stricter than for other pages, since MapLibre GL's worker is one of
 * our files. The address is a secret that opens the content, so it is never sent to other sites.
 */
export function linkHeaders(page: {
  hasMap: boolean;
  hasForm: boolean;
  mayFrame: boolean;
  /** The only text that a style element may have */
  style?: string | undefined;
}): Headers {
  const policy = [
    "default-src 'none'",
    ...(page.hasMap ? ["script-src 'self'", "worker-src 'self'", "connect-src 'self'"] : []),
    `style-src 'self'${page.style === undefined ? '' : ` 'sha256-${sha256(page.style)}'`}`,
    "font-src 'self'",
    // MapLibre GL's stylesheet contains the icons of its buttons as data URLs.
    `img-src 'self'${page.hasMap ? ' data:' : ''}`,
    "base-uri 'none'",
    `form-action ${page.hasForm ? "'self'" : "'none'"}`,
    `frame-ancestors ${page.mayFrame ? '*' : "'none'"}`,
  ];
  return { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' };
}
