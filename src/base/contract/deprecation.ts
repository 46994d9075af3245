/** Deprecation headers: RFC 9745, RFC 8594, and section 9 of the contract. */
import type { Deprecation } from './operation.ts';

/** @param apiRoot URL of the API, without a trailing slash */
export function deprecationHeaders(
  { since, sunset, successors }: Deprecation,
  apiRoot: string,
): Record<string, string> {
  return {
    Deprecation: `@${timeOf(since) / 1000}`,
    Sunset: new Date(timeOf(sunset)).toUTCString(),
    Link: successors.map((path) => `<${apiRoot}${path}>; rel="successor-version"`).join(', '),
  };
}

/** @throws RangeError unless the sunset is at least a year later and a successor is named */
export function checkDeprecation({ since, sunset, successors }: Deprecation): void {
  const earliest = new Date(timeOf(since));
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  if (timeOf(sunset) < earliest.getTime()) {
    throw new RangeError(
      `The sunset ${sunset} is too early: an operation deprecated on ${since} must remain until ` +
        `${earliest.toISOString().slice(0, 10)}.`,
    );
  }
  if (successors.length === 0)
    throw new RangeError('A deprecated operation must name a successor.');
}

function timeOf(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(time)) {
    throw new RangeError(`${day} is not a date in the form 2026-08-22.`);
  }
  return time;
}
