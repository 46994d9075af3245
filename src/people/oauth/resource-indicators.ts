/** Recognizes the resource that a client names (RFC 8707), however the client spells its URL. */
import type { Addresses } from './discovery.ts';

/**
 * Returns our own spelling of each resource, once. The root of the service stands for the whole API. URLs of
 * others stay as they are, so that they are refused.
 */
export function ownSpellings(
  resources: readonly string[],
  { site, api, mcp }: Addresses,
): string[] {
  const known = new Map([site, api, mcp].map((url) => [normalize(url), url === mcp ? mcp : api]));
  return [...new Set(resources.map((text) => known.get(normalize(text)) ?? text))];
}

/**
 * RFC 3986, 6.2.2 and 6.2.3: the case of scheme and host, default ports, dot segments, and escapes of
 * characters that need none. A slash at the end makes no difference either.
 */
function normalize(url: string): string {
  if (!URL.canParse(url)) return url;
  return new URL(url).href.replaceAll(/%[0-9a-f]{2}/gi, unescapePlain).replace(/\/$/, '');
}

function unescapePlain(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
