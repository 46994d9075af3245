/** The kinds of places that an organization may have, each with a symbol for pins and lists. Pure. */

interface PlaceSymbol {
  /** In a sentence */
  label: string;
  plural: string;
  /**
   * An SVG path in a square of 16 units, filled by the even-odd rule. It only has absolute `M`, `L`, `C`, and `Z`, so that
   * any drawing code can read it.
   */
  path: string;
}

export const PLACE_SYMBOLS = {
  /** A building with windows and a door */
  office: {
    label: 'office',
    plural: 'offices',
    path:
      'M3 1L13 1L13 15L3 15ZM5 3L7 3L7 5L5 5ZM9 3L11 3L11 5L9 5ZM5 6.5L7 6.5L7 8.5L5 8.5Z' +
      'M9 6.5L11 6.5L11 8.5L9 8.5ZM6.5 11L9.5 11L9.5 15L6.5 15Z',
  },
  /** A shop with an awning */
  store: {
    label: 'store',
    plural: 'stores',
    path:
      'M3 1.5L13 1.5L15.5 6C15.5 7.4 14.6 8.3 13.4 8.3C12.2 8.3 11.6 7.4 11.6 6.6C11.6 7.4 10.9 8.3 9.8 8.3' +
      'C8.7 8.3 8 7.4 8 6.6C8 7.4 7.3 8.3 6.2 8.3C5.1 8.3 4.4 7.4 4.4 6.6C4.4 7.4 3.8 8.3 2.6 8.3' +
      'C1.4 8.3 0.5 7.4 0.5 6ZM2 9.6L14 9.6L14 14.5L12 14.5L12 10.8L9 10.8L9 14.5L2 14.5ZM3.6 10.8L7.4 10.8L7.4 13L3.6 13Z',
  },
  /** A warehouse with a roller door */
  depot: {
    label: 'depot',
    plural: 'depots',
    path:
      'M8 1.2L15.5 5.4L15.5 14.8L13 14.8L13 7.6L3 7.6L3 14.8L0.5 14.8L0.5 5.4Z' +
      'M4.2 8.8L11.8 8.8L11.8 10.2L4.2 10.2ZM4.2 11.1L11.8 11.1L11.8 12.5L4.2 12.5ZM4.2 13.4L11.8 13.4L11.8 14.8L4.2 14.8Z',
  },
  /** A flag: another’s ground */
  competitor: {
    label: 'competitor',
    plural: 'competitors',
    path: 'M2.5 1L4.3 1L4.3 15L2.5 15ZM5.3 1.8C7.6 0.8 9 2.8 11 2.7C12.2 2.6 13 2.3 14 1.8L14 9C13 9.5 12.2 9.8 11 9.9C9 10 7.6 8 5.3 9Z',
  },
  /** A star */
  other: {
    label: 'other place',
    plural: 'other places',
    path: 'M8 0.9L10.2 5.6L15.3 6.2L11.5 9.7L12.5 14.8L8 12.3L3.5 14.8L4.5 9.7L0.7 6.2L5.8 5.6Z',
  },
} as const satisfies Record<string, PlaceSymbol>;

export type PlaceKind = keyof typeof PLACE_SYMBOLS;

export const PLACE_KINDS = Object.keys(PLACE_SYMBOLS) as [PlaceKind, ...PlaceKind[]];

/** Width and height of a symbol’s square */
export const SYMBOL_SIZE = 16;
