/** Chooses the ZIP codes of the demo’s brands. Pure. */
import { neighborsOf, type Adjacency } from '../brands/shape/adjacency.ts';

export interface ZipCenter {
  zip: string;
  /** Degrees */
  lng: number;
  lat: number;
}

export interface AreaSizes {
  /** Number of ZIP codes of the brand in the middle of the metro */
  main: number;
  /** Number of ZIP codes of the brand at the edge, including shared ones */
  other: number;
  /** Number of ZIP codes that both brands hold */
  shared: number;
}

/** The median longitude and latitude of the ZIP codes, because most ZIP codes are where most people live */
export type Middle = Omit<ZipCenter, 'zip'>;

export interface Areas {
  middle: Middle;
  /** In the order in which the area grew, so that its first ZIP codes are connected, too */
  main: string[];
  other: string[];
  /** The ZIP code nearest to the middle that borders neither area; null if there is none */
  isolated: string | null;
}

/**
 * Grows two connected areas in a metro: one in the middle, and one that overlaps its edge.
 * @param places all ZIP codes of the metro, at least one
 */
export function growAreas(
  places: readonly ZipCenter[],
  adjacency: Adjacency,
  { main: mainSize, other: otherSize, shared }: AreaSizes,
): Areas {
  const middle = {
    lng: median(places.map(({ lng }) => lng)),
    lat: median(places.map(({ lat }) => lat)),
  };
  const outward = nearestFirst(places, middle);
  const main = grow(outward, adjacency, mainSize, () => true);

  const held = new Set(main);
  const edge = outward.findLast(({ zip }) => held.has(zip))!;
  const other = grow(nearestFirst(places, edge), adjacency, otherSize, (zip, area) => {
    return !held.has(zip) || area.filter((chosen) => held.has(chosen)).length < shared;
  });

  for (const zip of other) held.add(zip);
  const touches = ({ zip }: ZipCenter) =>
    held.has(zip) || neighborsOf(adjacency, zip).some((neighbor) => held.has(neighbor));
  const isolated = outward.find((place) => !touches(place));
  return { middle, main, other, isolated: isolated?.zip ?? null };
}

/** Takes the first ZIP code, then repeatedly the first one that borders on the area. */
function grow(
  places: readonly ZipCenter[],
  adjacency: Adjacency,
  size: number,
  mayTake: (zip: string, area: readonly string[]) => boolean,
): string[] {
  const area = [places[0]!.zip];
  const around = new Set(neighborsOf(adjacency, area[0]!));
  while (area.length < size) {
    const next = places.find(({ zip }) => {
      return around.has(zip) && !area.includes(zip) && mayTake(zip, area);
    });
    if (!next) break;
    area.push(next.zip);
    for (const neighbor of neighborsOf(adjacency, next.zip)) around.add(neighbor);
  }
  return area;
}

/** Distances are measured on a plane. Within a metro, the error is below 1%. */
function nearestFirst(
  places: readonly ZipCenter[],
  { lng, lat }: Omit<ZipCenter, 'zip'>,
): ZipCenter[] {
  const shrink = Math.cos((lat * Math.PI) / 180);
  const distance = (place: ZipCenter) => Math.hypot((place.lng - lng) * shrink, place.lat - lat);
  return places.toSorted((a, b) => distance(a) - distance(b) || (a.zip < b.zip ? -1 : 1));
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
