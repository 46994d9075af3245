/** Positions of the names of territories on the map. Pure. */
import type { Draft } from '../territories/draft.ts';
import type { Market } from '../market.ts';

interface NamePoint {
  type: 'Feature';
  properties: { name: string; number: number; zips: number };
  geometry: { type: 'Point'; coordinates: [number, number] };
}

/**
 * Returns a point for each territory: the center of the ZIP code nearest to the territory's middle, so that
 * the name is inside even if the territory is ring-shaped.
 */
export function namePoints(
  { lon, lat, areaKm2 }: Pick<Market, 'lon' | 'lat' | 'areaKm2'>,
  { territories }: Draft,
): { type: 'FeatureCollection'; features: NamePoint[] } {
  const features = territories.flatMap(({ name, number, zips }): NamePoint[] => {
    const placed = [...zips].filter((zip) => !Number.isNaN(lon[zip]!));
    if (placed.length === 0) return [];
    // ZIP codes without a boundary still have a center.
    const weightOf = (zip: number) => areaKm2[zip]! + 0.1;
    const total = placed.reduce((sum, zip) => sum + weightOf(zip), 0);
    const mean = (values: Float64Array) =>
      placed.reduce((sum, zip) => sum + weightOf(zip) * values[zip]!, 0) / total;
    const [x, y] = [mean(lon), mean(lat)];
    const shrink = Math.cos((y * Math.PI) / 180);
    const distance = (zip: number) => Math.hypot((lon[zip]! - x) * shrink, lat[zip]! - y);
    const nearest = placed.reduce((best, zip) => (distance(zip) < distance(best) ? zip : best));
    return [
      {
        type: 'Feature',
        properties: { name, number, zips: zips.size },
        geometry: { type: 'Point', coordinates: [lon[nearest]!, lat[nearest]!] },
      },
    ];
  });
  return { type: 'FeatureCollection', features };
}
