/** Names and times for display. Unknown slugs stay as they are. */
import { orDash } from '../../base/text/words.ts';
import { launchedMetros } from '../../data/market/metros.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';

export const verticalName = (slug: string) =>
  VERTICALS.find((vertical) => vertical.slug === slug)?.label ?? slug;

export const metroName = (slug: string) =>
  launchedMetros().find((metro) => metro.slug === slug)?.label ?? slug;

/** `Frisco, TX`, or a dash if it's unknown */
export const formatPlace = ({
  city,
  state,
}: {
  city?: string | null | undefined;
  state?: string | null | undefined;
}) => orDash([city, state].filter(Boolean).join(', ') || null);

/** `2026-11-29 10:00` */
export const minuteOf = (at: string) => at.slice(0, 16).replace('T', ' ');
