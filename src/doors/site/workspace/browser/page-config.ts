/** The page's data for its script, which the server supplies. Pure. */
import type { Brand, DraftTerritory } from './territories/draft.ts';

export interface WorkspaceConfig {
  organization: { id: string; name: string };
  verticals: readonly ConfiguredVertical[];
  /** Brands within the viewer's scope, by slug */
  brands: readonly Brand[];
  metros: readonly { slug: string; label: string }[];
  states: readonly { usps: string; name: string }[];
  /** Place that the workspace shows first: `metro=dallas-tx` */
  place: string;
  /** Addresses of the data that the page shows first */
  first: readonly string[];
  /** The territories in that data */
  firstTerritories: readonly Pick<DraftTerritory, 'number' | 'name'>[];
  /** Id of the brand that should receive the selection; null for none */
  brand: string | null;
  /** Reason why the viewer can't change territories; null if they can */
  refusal: string | null;
  /** Reason why the viewer can't open plans, which span all brands; null if they can */
  planRefusal: string | null;
  mayReview: boolean;
  mayCreateBrands: boolean;
  /** Whether the subscription includes the figures of the whole country */
  seesCountry: boolean;
  /** Colors of territories in each color scheme, by number */
  territoryColors: Record<'light' | 'dark', readonly string[]>;
  /** The same colors as they look on the map, over land */
  swatchColors: Record<'light' | 'dark', readonly string[]>;
  /** Longest drive in minutes; null without a routing server */
  maxDriveMinutes: number | null;
  /** In units */
  prices: {
    solve: number;
    apply: number;
    picture: number;
    /** Number of days for which repeats of a picture are free */
    pictureDays: number;
  };
  /** What share links cost, in sentences */
  linkCosts: string;
  /** Addresses; some have a parameter in braces */
  paths: {
    market: string;
    live: string;
    refusals: string;
    borders: string;
    zip: string;
    days: string;
    zipRecord: string;
    overTime: string;
    classes: string;
    brand: string;
    targeting: string;
    reach: string;
    places: string;
    previewChanges: string;
    saveChanges: string;
    undoRemoval: string;
    change: string;
    newBrand: string;
    plan: string;
    plans: string;
    design: string;
    data: string;
    dataGuide: string;
    search: string;
  };
}

/**
 * Omits totals: they would use up the figures of all assigned ZIP codes, and the workspace measures
 * territories itself.
 */
export const WITHOUT_TOTALS = '?totals=false';

interface ConfiguredVertical {
  slug: string;
  label: string;
  /** Whether the organization has its own weights */
  own: boolean;
}
