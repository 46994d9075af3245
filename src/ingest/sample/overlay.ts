/** Merges and cuts shapes with mapshaper. */
import type { FeatureCollection } from 'geojson';
import mapshaper from 'mapshaper';
import type { Areal } from './measure.ts';

/** Returns the union of shapes. */
export async function union(shapes: readonly Areal[]): Promise<Areal> {
  const [joined] = await run(['-dissolve'], { shapes });
  return joined!.geometry;
}

/**
 * Returns the part of each shape outside all masks, by index. Shapes that are completely inside are
 * missing.
 */
export async function erase(
  shapes: readonly Areal[],
  masks: readonly Areal[],
): Promise<Map<number, Areal>> {
  const rest = await run(['-erase', 'masks.json'], { shapes, masks });
  return new Map(rest.map(({ properties, geometry }) => [properties.index, geometry]));
}

/** Runs a command on `shapes`. Each layer is available as a file under its name. */
async function run(command: string[], layers: Record<string, readonly Areal[]>) {
  const files = Object.entries(layers).map(([name, shapes]) => [
    `${name}.json`,
    collection(shapes),
  ]);
  // Outer rings counterclockwise, precision 0.1 m
  const format = ['rfc7946', 'geojson-type=FeatureCollection', 'precision=0.000001'];
  const output = await mapshaper.applyCommands(
    ['-i', 'shapes.json', ...command, '-o', 'result.json', ...format],
    Object.fromEntries(files),
  );
  return (JSON.parse(String(output['result.json'])) as Layer).features;
}

type Layer = FeatureCollection<Areal, { index: number }>;

const collection = (shapes: readonly Areal[]): Layer => ({
  type: 'FeatureCollection',
  features: shapes.map((geometry, index) => ({ type: 'Feature', properties: { index }, geometry })),
});
