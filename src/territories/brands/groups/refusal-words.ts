/** Says why a rule refuses ZIP codes. Names a holder only to callers who may see that brand. */
import { group as groupBy } from 'd3-array';
import { joinFirst, joinWithAnd } from '../../../base/text/words.ts';
import { isNamed } from '../named-brands.ts';
import type { Holder, Refusal } from './rules.ts';

/** ZIP codes with the reason that they have in common */
export interface RefusedZips {
  /** A phrase: `held by North, and the group "Franchisees" blocks overlaps` */
  reason: string;
  zips: string[];
}

/**
 * Which holders a reason names: those that the viewer may know, or none, in a text that others read later: everyone with
 * access to the brand
 */
export type Naming = 'known' | 'none';

/** Returns the reason as a phrase. */
export function explainRefusal(refusal: Refusal, naming: Naming = 'known'): string {
  const group = `the group "${refusal.group.name}"`;
  if (refusal.kind === 'reserve') {
    const reason = refusal.reason.replace(/\.$/, '');
    return `reserved by ${group} until ${formatDay(refusal.until)}: ${reason}`;
  }
  const visible = naming === 'none' ? [] : refusal.holders.filter(isNamed);
  if (visible.length === 0) {
    const when = new Set(refusal.holders.map(whenHeld));
    const same = when.size === 1 ? [...when][0] : '';
    return `held by another brand of ${group}${same}, which blocks overlaps`;
  }
  const hidden = visible.length < refusal.holders.length ? ['another brand'] : [];
  const named = visible.map((holder) => `${holder.name}${whenHeld(holder)}`);
  return `held by ${joinWithAnd([...named, ...hidden])}, and ${group} blocks overlaps`;
}

const whenHeld = ({ from, hasLeft }: Holder) =>
  from ? ` from ${formatDay(from)}` : hasLeft ? ' at that moment' : '';

/** Returns the refused ZIP codes by reason, in order. */
export const groupRefusals = (
  refused: readonly { zip: string; refusal: Refusal }[],
  naming?: Naming,
): RefusedZips[] =>
  Array.from(
    groupBy(refused, ({ refusal }) => explainRefusal(refusal, naming)),
    ([reason, claims]) => ({ reason, zips: claims.map(({ zip }) => zip).sort() }),
  );

/** Returns reasons with their ZIP codes as one phrase: `75201: held by …; 75202: reserved by …`. */
export const listRefusals = (refused: readonly RefusedZips[]): string =>
  refused.map(({ reason, zips }) => `${joinFirst(zips)}: ${reason}`).join('; ');

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** @param day `2027-03-31` */
export const formatDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));
