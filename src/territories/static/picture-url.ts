/** Parses the URL of a static picture, to sign it and for the page that builds it. */
import type { z } from 'zod';
import { checkRequest } from '../../base/contract/check.ts';
import { badRequest } from '../../errors.ts';
import { decodePart } from '../../base/text/decode-part.ts';
import { staticParams, staticQuery, type StaticPicture } from './options.ts';

export interface PictureUrl {
  /** Path and query from the API root, without a signature */
  target: string;
  picture: StaticPicture;
}

const PATH = /^\/static\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\.([^/.]+)$/;
const FORM = '/static/{style}/{subject}/{view}/{width}x{height}.{format}';

/**
 * @param text absolute, or relative to the API root. A signature is dropped
 * @param apiRoot URL of the API, without a trailing slash
 * @throws ServiceError 400 that lists all problems and what is accepted
 */
export function parsePictureUrl(text: string, apiRoot: string): PictureUrl {
  const relative = text.startsWith(apiRoot) ? text.slice(apiRoot.length) : text;
  const at = relative.indexOf('?');
  const path = at < 0 ? relative : relative.slice(0, at);
  const parameters = new URLSearchParams(at < 0 ? '' : relative.slice(at + 1));
  for (const name of ['signer', 'expires', 'signature']) parameters.delete(name);
  const segments = PATH.exec(path)?.slice(1).map(decodeSegment);
  if (!segments) throw badRequest(`url: must be ${FORM}, or the same after ${apiRoot}.`);
  const [style, subject, view, size, format] = segments;
  const { params, query } = checkRequest(PARTS, {
    params: { style, subject, view, size, format },
    query: valuesOf(parameters),
  }) as unknown as { params: z.output<typeof staticParams>; query: z.output<typeof staticQuery> };
  const { signer: _, expires: __, signature: ___, ...options } = query;
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return { target: path + rest, picture: { ...params, ...options } };
}

const PARTS = { params: staticParams, query: staticQuery };

function decodeSegment(segment: string): string {
  const decoded = decodePart(segment);
  if (decoded !== undefined) return decoded;
  throw badRequest('url: contains an invalid % sequence. Write a literal % as %25.');
}

/** A repeated parameter becomes a list, which no parameter accepts. */
function valuesOf(parameters: URLSearchParams): Record<string, unknown> {
  const names = new Set(parameters.keys());
  return Object.fromEntries(
    Array.from(names, (name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
