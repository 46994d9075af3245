/** Names of verticals and metros for display. Unknown slugs stay as they are. */
import { launchedMetros } from '../market/metros.ts';
import { VERTICALS } from '../scoring/verticals.ts';

export const verticalName = (slug: string) =>
  VERTICALS.find((vertical) => vertical.slug === slug)?.label ?? slug;

export const metroName = (slug: string) =>
  launchedMetros().find((metro) => metro.slug === slug)?.label ?? slug;

export const NO_BOUNDARY = 'It has figures but no imported boundary, so maps can’t show it.';
