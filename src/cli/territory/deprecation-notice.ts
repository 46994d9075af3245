/** Reads deprecation headers: RFC 9745 and RFC 8594. */

/** Returns a sentence about a deprecated operation, or undefined. */
export function deprecationNotice(path: string, headers: Headers): string | undefined {
  const since = /^@(-?\d+)$/.exec(headers.get('Deprecation') ?? '')?.[1];
  if (since === undefined) return undefined;
  const sunset = Date.parse(headers.get('Sunset') ?? '');
  const successors = [...(headers.get('Link') ?? '').matchAll(SUCCESSOR)].map(([, uri]) => uri);
  const end = Number.isNaN(sunset) ? '' : ` and will be removed on ${day(sunset)}`;
  const instead = successors.length > 0 ? ` Use instead: ${successors.join(', ')}.` : '';
  return `${path} was deprecated on ${day(Number(since) * 1000)}${end}.${instead}`;
}

const SUCCESSOR = /<([^>]*)>\s*;[^,]*\brel="?successor-version"?/g;

const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);
