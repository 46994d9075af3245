/** Suggests a radius instead of a drive time, for services without a routing server. */
import { formatCount } from '../../text/words.ts';

/**
 * Average speeds along the straight line, in miles per minute: 25 and 45 mph. On the road, this is a third
 * more, because US roads are about 1.3 times as long as the straight line.
 */
const IN_A_CITY = 25 / 60;
const IN_THE_COUNTRY = 45 / 60;

/** "Use a radius instead: a 20-minute drive covers about 8 miles in a city and 15 miles in the country." */
export function suggestRadius(minutes: number): string {
  const miles = (speed: number) => formatCount(Math.max(Math.round(minutes * speed), 1));
  return (
    `Use a radius instead: a ${minutes}-minute drive covers about ${miles(IN_A_CITY)} miles in a city ` +
    `and ${miles(IN_THE_COUNTRY)} miles in the country.`
  );
}
