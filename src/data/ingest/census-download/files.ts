/**
 * Addresses of the files on the Census Bureau's server. Sources: the folders GENZ{year} and TIGER{year} of
 * www2.census.gov/geo/tiger, and the TIGER/Line technical documentation.
 */

/** The parts of `import all`, in import order. */
export const PARTS = [
  'states',
  'counties',
  'boundaries',
  'figures',
  'places',
  'roads',
  'water',
  'landuse',
] as const;
export type Part = (typeof PARTS)[number];

/** Parts that are files; figures come from the Census API. */
export type FilePart = Exclude<Part, 'figures'>;

interface Places {
  /** Codes of states, 2 digits */
  states: readonly string[];
  /** Codes of their counties, 5 digits */
  counties: readonly string[];
}

/** The first year whose cartographic boundaries are in the folder `shp`. */
export const FIRST_YEAR = 2014;

/**
 * Returns the paths of a part's files, relative to the server's base address.
 * @param streets whether to include streets and streams instead of main roads only
 */
export function filesOf(
  part: FilePart,
  year: number,
  { states, counties }: Places,
  streets: boolean,
): string[] {
  const cartographic = (theme: string, area = 'us') =>
    `GENZ${year}/shp/cb_${year}_${area}_${theme}_500k.zip`;
  const tiger = (theme: string) => (area: string) =>
    `TIGER${year}/${theme}/tl_${year}_${area}_${theme.toLowerCase()}.zip`;
  switch (part) {
    case 'states':
      return [cartographic('state')];
    case 'counties':
      return [cartographic('county')];
    case 'boundaries':
      return [boundariesOf(year)];
    case 'places':
      // One file for the whole country since 2019
      return year >= 2019
        ? [cartographic('place')]
        : states.map((state) => cartographic('place', state));
    case 'roads':
      return streets ? counties.map(tiger('ROADS')) : states.map(tiger('PRISECROADS'));
    case 'water':
      return [
        ...counties.map(tiger('AREAWATER')),
        ...(streets ? counties.map(tiger('LINEARWATER')) : []),
      ];
    case 'landuse':
      return [tiger('MIL')('us'), ...states.map(tiger('AREALM'))];
  }
}

/**
 * ZCTAs change with each census. The cartographic file of the 2020 ZCTAs was published only in 2020; that
 * of the 2010 ZCTAs was published every year until 2019.
 */
function boundariesOf(year: number): string {
  return year >= 2020
    ? 'GENZ2020/shp/cb_2020_us_zcta520_500k.zip'
    : `GENZ${year}/shp/cb_${year}_us_zcta510_500k.zip`;
}
