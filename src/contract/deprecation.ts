/** How an operation says that it goes away: RFC 9745, RFC 8594 and section 9 of the contract. */
import type { Deprecation } from './operation.ts';

/**
 * @param apiRoot where people reach the interface, without a slash at the end
 */
export function deprecationHeaders(
  { since, sunset, successors }: Deprecation,
  apiRoot: string,
): Record<string, string> {
  return {
    Deprecation: `@${instant(since) / 1000}`,
    Sunset: new Date(instant(sunset)).toUTCString(),
    Link: successors.map((path) => `<${apiRoot}${path}>; rel="successor-version"`).join(', '),
  };
}

/**
 * At least a year passes between deprecation and sunset, and there is something to go to.
 * @throws RangeError that says what is wrong
 */
export function checkDeprecation({ since, sunset, successors }: Deprecation): void {
  const earliest = new Date(instant(since));
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
  if (instant(sunset) < earliest.getTime()) {
    throw new RangeError(
      `What is deprecated since ${since} must not go before ` +
        `${earliest.toISOString().slice(0, 10)}, but its sunset is ${sunset}.`,
    );
  }
  if (successors.length === 0) throw new RangeError('What is deprecated must name a successor.');
}

function instant(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(time)) {
    throw new RangeError(`${day} is not a day such as 2026-08-22.`);
  }
  return time;
}
