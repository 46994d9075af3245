/**
 * Determines the zoom from which a town's name is shown: large towns first, with enough space between
 * names.
 */

export interface Town {
  lng: number;
  lat: number;
  population: number;
  isCapital: boolean;
}

const FIRST_ZOOM = 3;
/** Minimum population for a name, by zoom from `FIRST_ZOOM` */
const MIN_POPULATION = [550_000, 400_000, 200_000, 90_000, 30_000, 9_000, 2_500, 500];
/** Capitals help with orientation, so they count as at least this large. */
const CAPITAL_COUNTS_AS = 400_000;
/**
 * Minimum distance between names at zoom 0: 35 pixels of a 512-pixel tile that spans 360 degrees
 */
const SPACING_DEGREES = (35 / 512) * 360;

/** @param towns most populous first */
export function firstZooms(towns: readonly Town[]): number[] {
  const zooms = towns.map(() => FIRST_ZOOM + MIN_POPULATION.length);
  MIN_POPULATION.forEach((minPopulation, i) => {
    const zoom = FIRST_ZOOM + i;
    const spacing = SPACING_DEGREES / 2 ** zoom;
    const named = new Map<string, Town>();
    const cellOf = ({ lng, lat }: Town) => [Math.floor(lng / spacing), Math.floor(lat / spacing)];
    const name = (town: Town) => named.set(String(cellOf(town)), town);
    const hasRoom = (town: Town) => {
      const [x, y] = cellOf(town) as [number, number];
      return [-1, 0, 1].every((dx) =>
        [-1, 0, 1].every((dy) => {
          const other = named.get(`${x + dx},${y + dy}`);
          return !other || distance(town, other) > spacing;
        }),
      );
    };
    towns.forEach((town, rank) => zooms[rank]! < zoom && name(town));
    towns.forEach((town, rank) => {
      const population = Math.max(town.population, town.isCapital ? CAPITAL_COUNTS_AS : 0);
      if (zooms[rank]! < zoom || population < minPopulation || !hasRoom(town)) return;
      zooms[rank] = zoom;
      name(town);
    });
  });
  return zooms;
}

/** Distance in degrees. Degrees of latitude are drawn longer: 1.27 times at latitude 38. */
const distance = (a: Town, b: Town) => Math.hypot(a.lng - b.lng, 1.27 * (a.lat - b.lat));
