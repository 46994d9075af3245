/** Which ZIPs the demo's brands hold, by rule from whatever ZIPs there are: pure. */
import { neighborsOf, type Adjacency } from '../territory/adjacency.ts';

export interface Place {
  zip: string;
  /** Degrees */
  lng: number;
  lat: number;
}

export interface AreaSizes {
  /** ZIPs of the brand in the middle of the metro */
  main: number;
  /** ZIPs of the brand beside it, those that both hold included */
  other: number;
  /** ZIPs that both hold */
  shared: number;
}

export interface Areas {
  /** In the order in which the area grew: its first ZIPs are an area, too */
  main: string[];
  other: string[];
  /** The nearest that touches neither of the two; null where everything does */
  apart: string | null;
}

/**
 * Two areas of a metro, each of one piece, the second beside the first and over its edge. The middle
 * is that of most ZIPs, which is where most people are: their median longitude and latitude.
 * @param places of the metro, at least one
 */
export function groupNearby(
  places: readonly Place[],
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
    return !held.has(zip) || area.filter((taken) => held.has(taken)).length < shared;
  });

  for (const zip of other) held.add(zip);
  const touches = ({ zip }: Place) =>
    held.has(zip) || [...neighborsOf(adjacency, zip)].some((neighbor) => held.has(neighbor));
  const apart = outward.find((place) => !touches(place));
  return { main, other, apart: apart?.zip ?? null };
}

/** Takes the first ZIP, and then always the first one that borders on those taken. */
function grow(
  places: readonly Place[],
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

/** On a plane that touches the earth there: within a metro the error is below a percent. */
function nearestFirst(places: readonly Place[], { lng, lat }: Omit<Place, 'zip'>): Place[] {
  const shrink = Math.cos((lat * Math.PI) / 180);
  const distance = (place: Place) => Math.hypot((place.lng - lng) * shrink, place.lat - lat);
  return places.toSorted((a, b) => distance(a) - distance(b) || (a.zip < b.zip ? -1 : 1));
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
