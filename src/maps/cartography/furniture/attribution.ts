/** Names the sources of a map in terms that readers know. */
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { joinTitles } from '../../../data/basemap/sources.ts';
import type { Dataset, DatasetName } from '../../../base/db/datasets.ts';

/** The datasets that a map of ZIP codes shows */
const DRAWN: readonly DatasetName[] = ['boundaries', ...BASEMAP_LAYERS];

/** Publishers, by patterns that match the names of their files, products, and programs */
const PUBLISHERS: readonly [name: RegExp, publisher: string][] = [
  [/census|\bacs\b|zcta|tiger|^(tl|cb)_/i, 'Census Bureau'],
  [/natural earth|^ne_/i, 'Natural Earth'],
  [/gempak/i, 'Unidata GEMPAK'],
  [/openstreetmap|\bosm\b|^osm_/i, 'OpenStreetMap'],
];

interface Attribution {
  /** All sources, except a vintage that the map states elsewhere */
  attribution: string;
  /** Shorter forms for pictures without enough room, longest first */
  shortAttribution: string[];
}

/** @param vintage source of the figures, or of the boundaries on maps without figures */
export function attributionOf(
  facts: ReadonlyMap<DatasetName, Dataset>,
  vintage: string,
): Attribution {
  const sources = DRAWN.flatMap((name) =>
    (facts.get(name)?.vintage.split(', ') ?? []).map((source) => ({ name, source })),
  ).filter(({ source }) => source !== vintage);
  const isSample = [...facts.values()].some(({ synthetic }) => synthetic);
  const publishers = unique([
    ...(isSample ? ['Sample data'] : []),
    ...[vintage, ...sources.map(({ source }) => source)].flatMap((text) => publisherOf(text) ?? []),
  ]);
  const [first] = publishers;
  return {
    attribution: joinTitles(sources.map(({ name, source }) => inWords(source, name))),
    shortAttribution:
      first === undefined
        ? []
        : [publishers.join(', '), publishers.length > 1 ? `${first} and others` : first],
  };
}

/** Replaces file names, such as `us_highways_hi_gempak`. */
function inWords(source: string, layer: DatasetName): string {
  const isFileName = /^[\w.-]*_[\w.-]*$/.test(source);
  if (!isFileName) return source;
  return publisherOf(source) ?? `${layer} from ${source.replaceAll(/[_.-]+/g, ' ').trim()}`;
}

function publisherOf(source: string): string | undefined {
  return PUBLISHERS.find(([name]) => name.test(source))?.[1];
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
