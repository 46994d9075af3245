import mapshaper from 'mapshaper';
import type { Topology } from 'topojson-specification';
import { expect, it } from 'vitest';
import { atlasStatesAndCounties } from '../../../src/data/ingest/atlas.ts';
import { simplifyFeatures } from '../../../src/data/ingest/shapes.ts';
import { DETAIL_LEVELS } from '../../../src/base/spatial/detail.ts';
import { collection, zipFeature } from './files.ts';

it('simplifies to each level of detail exactly as mapshaper’s commands do', async () => {
  // The islet disappears at coarse levels unless it is kept.
  const counties = atlasStatesAndCounties().filter(({ fips }) => /^(22|51)\d{3}$/.test(fips ?? ''));
  const islet = [0, 0.002, 0.001, 0].map((x, i) => [-90 + x, 27 + (i === 2 ? 0.002 : 0)]);
  const shapes = collection([
    ...counties.map(({ name, geometry }) => ({ type: 'Feature', properties: { name }, geometry })),
    { ...zipFeature('00001', islet), properties: { name: 'Islet' } },
  ]);
  const { properties, levels } = await simplifyFeatures(shapes as never);
  expect(levels).toHaveLength(DETAIL_LEVELS.length);
  for (const [lod, { toleranceM }] of DETAIL_LEVELS.entries()) {
    const output = await mapshaper.applyCommands(
      [
        '-i',
        'in.json',
        '-simplify',
        `interval=${toleranceM}`,
        'keep-shapes',
        '-o',
        'out.json',
        'format=topojson',
        'no-quantization',
        'precision=0.000001',
      ],
      { 'in.json': shapes },
    );
    const topology = JSON.parse(String(output['out.json'])) as Topology;
    const [object] = Object.values(topology.objects) as unknown as [{ geometries: object[] }];
    const { arcs, geometries } = levels[lod]!;
    const named = geometries.map((geometry, i) => ({
      type: null,
      ...geometry,
      properties: properties[i],
    }));
    expect(named).toEqual(object.geometries);
    expect([...arcs.coordinates]).toEqual(topology.arcs.flat(2));
    const lengths = topology.arcs.map((_, i) => arcs.starts[i + 1]! - arcs.starts[i]!);
    expect(lengths).toEqual(topology.arcs.map((arc) => arc.length));
  }
});
