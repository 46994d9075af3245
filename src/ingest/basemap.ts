/** `import basemap`: imports Natural Earth, Census states and counties, and road files. */
import { basename } from 'node:path';
import { BASEMAP_LAYERS, type BasemapLayer, type FeatureFacts } from '../basemap/features.ts';
import type { Database } from '../db/database.ts';
import { ImportError } from '../errors.ts';
import { storeBasemap, type BasemapSource } from './basemap-store.ts';
import type { Progress } from './progress.ts';
import { Findings, type ImportReport } from './report.ts';
import { readShapes } from './shapes.ts';

export interface BasemapOptions {
  /** Default: from each file's name */
  layer?: BasemapLayer;
  vintage?: string;
  dryRun?: boolean;
  progress: Progress;
}

/**
 * Replaces each layer that the files belong to with the content of its files.
 * @throws ImportError, without changing anything, if a file can't be read or its layer is unclear
 */
export async function importBasemap(
  db: Database,
  files: string[],
  options: BasemapOptions,
): Promise<ImportReport> {
  const findings = new Findings();
  const layers = files.map((file) => options.layer ?? layerOf(file));
  const sources: BasemapSource[] = [];
  for (const [i, file] of files.entries()) {
    options.progress('Reading and simplifying', i, files.length);
    const facts = { vintage: options.vintage ?? vintageOf(file), synthetic: false };
    sources.push({ ...(await readLayer(file, layers[i]!, findings)), facts });
  }
  const kept = await storeBasemap(db, sources, {
    dryRun: options.dryRun ?? false,
    progress: options.progress,
  });
  findings.note(`layers replaced: ${[...new Set(layers)].join(', ')}`);
  return findings.report({
    kind: 'basemap',
    files,
    vintage: [...new Set(sources.map((s) => s.facts.vintage))].join(', '),
    dryRun: options.dryRun,
    kept,
  });
}

/** File names of Natural Earth, the Census Bureau, and common road files. */
const LAYER_BY_NAME: [RegExp, BasemapLayer][] = [
  [/lakes|rivers|ocean|water/, 'water'],
  [/populated_places|places|cities/, 'places'],
  [/roads|highways|interstates/, 'roads'],
  [/states|_state_/, 'states'],
  [/count(y|ies)|admin_2/, 'counties'],
];

function layerOf(file: string): BasemapLayer {
  const name = basename(file).toLowerCase();
  const layer = LAYER_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (layer) return layer;
  throw new ImportError(
    `The name ${basename(file)} doesn’t identify the layer. ` +
      `Name it with --layer ${BASEMAP_LAYERS.join('|')}, or omit the file.`,
  );
}

/** Returns the source as its publisher names it. */
function vintageOf(file: string): string {
  const name = basename(file).replace(/\.\w+$/, '');
  const naturalEarth = /^ne_(\d+)m_/.exec(name);
  if (naturalEarth) return `Natural Earth 1:${naturalEarth[1]}m`;
  const census = /^(cb|tl)_(\d{4})_us_/.exec(name);
  if (census?.[1] === 'cb') return `Census cartographic boundaries ${census[2]}`;
  if (census) return `Census TIGER/Line ${census[2]}`;
  return name;
}

async function readLayer(
  file: string,
  layer: BasemapLayer,
  findings: Findings,
): Promise<Omit<BasemapSource, 'facts'>> {
  const shapes = await readShapes([file]);
  const describe = DESCRIBE[layer];
  const features = new Map<number, FeatureFacts>();
  shapes.properties.forEach((raw, index) => {
    findings.rowsRead++;
    const label = `${basename(file)}, feature ${index + 1}`;
    const geometry = shapes.levels[0]!.geometries[index];
    const properties = Object.fromEntries(
      Object.entries(raw).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const isLine = geometry?.type.endsWith('LineString') ?? false;
    const facts = describe(properties, basename(file).toLowerCase(), isLine);
    if (!geometry) findings.reject('the geometry is missing or empty', label);
    else if (!GEOMETRY[layer].test(geometry.type)) {
      findings.reject(`a ${geometry.type} doesn’t belong in the layer ${layer}`, label);
    } else if (typeof facts === 'string') findings.reject(facts, label);
    else features.set(index, { layer, ...facts });
  });
  if (features.size === 0) {
    const [first] = findings.rejected;
    throw new ImportError(
      `${basename(file)} contains nothing for the layer ${layer}` +
        (first ? `: ${first.reason} (${first.examples[0]}).` : '.'),
    );
  }
  return { shapes, features };
}

const GEOMETRY: Record<BasemapLayer, RegExp> = {
  states: /Polygon$/,
  counties: /Polygon$/,
  water: /(Polygon|LineString)$/,
  roads: /LineString$/,
  places: /Point$/,
};

/** By lower-case name, since files vary in case. */
type Properties = Record<string, unknown>;

/** Returns what the layer stores of a feature, or the reason for rejecting it. */
const DESCRIBE: Record<
  BasemapLayer,
  (properties: Properties, file: string, isLine: boolean) => Omit<FeatureFacts, 'layer'> | string
> = {
  states: (p) => {
    const fips = text(p.statefp ?? p.geoid ?? p.fips)?.slice(-2);
    if (!fips || !/^\d{2}$/.test(fips)) return 'a state needs a two-digit code (STATEFP or GEOID)';
    return { kind: 'state', name: text(p.name), fips, minZoom: 0, rank: 0 };
  },
  counties: (p) => {
    const fips = text(p.geoid ?? p.fips);
    if (!fips || !/^\d{5}$/.test(fips)) return 'a county needs a five-digit code (GEOID)';
    return { kind: 'county', name: text(p.name), fips, minZoom: 5, rank: 0 };
  },
  water: (p, file, isLine) => {
    const featurecla = text(p.featurecla)?.toLowerCase() ?? file;
    // Natural Earth's "Lake Centerline" is a river on its way through a lake.
    const isRiver = isLine || /river/.test(featurecla);
    const kind = /ocean/.test(featurecla) ? 'ocean' : isRiver ? 'river' : 'lake';
    return {
      kind,
      name: text(p.name),
      fips: null,
      minZoom: naturalEarthZoom(p.min_zoom, kind === 'ocean' ? 0 : 5),
      rank: number(p.scalerank) ?? 5,
    };
  },
  roads: (p, file) => {
    const interstate = /interstate/i.test(`${text(p.kind) ?? ''} ${text(p.class) ?? ''} ${file}`);
    return {
      kind: interstate ? 'interstate' : 'highway',
      name: text(p.name ?? p.ref ?? p.fullname),
      fips: null,
      minZoom: naturalEarthZoom(p.min_zoom, interstate ? 3 : 6),
      rank: interstate ? 0 : 1,
    };
  },
  places: (p) => {
    const name = text(p.name);
    if (!name) return 'a place needs a name';
    return {
      kind: /capital/i.test(text(p.featurecla) ?? '') ? 'capital' : 'city',
      name,
      fips: null,
      minZoom: naturalEarthZoom(p.min_zoom, 6),
      // Among places of one scale rank, larger cities come first.
      rank: (number(p.scalerank) ?? 10) + 1 - Math.log10(1 + (number(p.pop_max) ?? 0)) / 10,
    };
  },
};

/** Natural Earth's zooms are for 256-pixel tiles: one more than ours. */
function naturalEarthZoom(value: unknown, otherwise: number): number {
  const zoom = number(value);
  return zoom === null ? otherwise : Math.max(0, zoom - 1);
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
