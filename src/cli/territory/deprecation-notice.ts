/** What an answer says of its own end: RFC 9745 and RFC 8594. */

/** Undefined where the operation stays. */
export function deprecationNotice(path: string, headers: Headers): string | undefined {
  const since = /^@(-?\d+)$/.exec(headers.get('Deprecation') ?? '')?.[1];
  if (since === undefined) return undefined;
  const sunset = Date.parse(headers.get('Sunset') ?? '');
  const successors = [...(headers.get('Link') ?? '').matchAll(SUCCESSOR)].map(([, uri]) => uri);
  const end = Number.isNaN(sunset) ? '' : ` and goes away on ${day(sunset)}`;
  const instead = successors.length > 0 ? ` In its place: ${successors.join(', ')}.` : '';
  return `${path} is deprecated since ${day(Number(since) * 1000)}${end}.${instead}`;
}

const SUCCESSOR = /<([^>]*)>\s*;[^,]*\brel="?successor-version"?/g;

const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);
