/** Packs features as lists of forms and values instead of objects. */
import type { Feature } from 'geojson';
import {
  FlatGeometry,
  isFlatType,
  type Coordinates,
  type FlatPositions,
  type FlatType,
  type FlatWriter,
} from '../base/spatial/flat-geometry.ts';

export interface PackedFeatures {
  forms: readonly Form[];
  /** Index of each feature's form; -1 for a feature that is stored whole among the values */
  formOf: Int32Array;
  /** The values of each feature, in the order of its form */
  values: readonly unknown[];
  /** Where the positions of each feature start, in the numbers and in the counts; last, where they end */
  starts: Int32Array;
}

/** The structure of features: their geometry type and the names of their members and properties */
interface Form {
  geometry: FlatType;
  /** Names of members, such as `id`, besides the three that all features have */
  members: readonly string[];
  properties: readonly string[];
}

/** The more forms there are, the longer it takes to find one. */
const MAX_FORMS = 32;

/**
 * Writes the positions to `writer`. Malformed features stay unchanged, so that the engine can refuse them.
 */
export function packFeatures(features: readonly Feature[], writer: FlatWriter): PackedFeatures {
  const forms: Form[] = [];
  const formOf = new Int32Array(features.length);
  const starts = new Int32Array(2 * features.length + 2);
  const values: unknown[] = [];
  for (const [i, feature] of features.entries()) {
    const form = formOfFeature(feature);
    starts[2 * i] = writer.numberCount;
    starts[2 * i + 1] = writer.countCount;
    const known = form === null ? -1 : forms.findIndex((other) => isSame(other, form));
    if (
      form === null ||
      (known < 0 && forms.length === MAX_FORMS) ||
      !writer.write(feature.geometry as Coordinates)
    ) {
      formOf[i] = -1;
      values.push(feature);
      continue;
    }
    formOf[i] = known >= 0 ? known : forms.push(form) - 1;
    const { members, properties } = form;
    for (const name of members) values.push((feature as unknown as Values)[name]);
    for (const name of properties) values.push((feature.properties as Values)[name]);
  }
  starts.set([writer.numberCount, writer.countCount], 2 * features.length);
  return { forms, formOf, values, starts };
}

export function unpackFeatures(
  { forms, formOf, values, starts }: PackedFeatures,
  positions: FlatPositions,
): Feature[] {
  let next = 0;
  return Array.from(formOf, (index, i) => {
    if (index < 0) return values[next++] as Feature;
    const { geometry, members, properties } = forms[index]!;
    const feature: Values = { type: 'Feature' };
    for (const name of members) feature[name] = values[next++];
    const named: Values = {};
    for (const name of properties) named[name] = values[next++];
    feature.properties = named;
    feature.geometry = new FlatGeometry(
      geometry,
      positions,
      { start: starts[2 * i]!, end: starts[2 * i + 2]! },
      { start: starts[2 * i + 1]!, end: starts[2 * i + 3]! },
    );
    return feature as unknown as Feature;
  });
}

type Values = Record<string, unknown>;

const COMMON = new Set(['type', 'properties', 'geometry']);

/** Returns null for anything other than a plain feature. */
function formOfFeature(feature: Feature | null): Form | null {
  if (feature?.type !== 'Feature') return null;
  const { geometry, properties } = feature;
  if (!(geometry instanceof Object && properties instanceof Object)) return null;
  const { type } = geometry;
  if (!isFlatType(type) || !hasOnlyCoordinates(geometry)) return null;
  const names = Object.keys(properties);
  const members = Object.keys(feature).filter((name) => !COMMON.has(name));
  // Assigning to `__proto__` would change the prototype.
  const isPlain =
    !Array.isArray(properties) && !names.includes('__proto__') && !members.includes('__proto__');
  return isPlain ? { geometry: type, members, properties: names } : null;
}

const hasOnlyCoordinates = (geometry: object): boolean =>
  geometry instanceof FlatGeometry ||
  (Object.keys(geometry).length === 2 && 'coordinates' in geometry);

function isSame(a: Form, b: Form): boolean {
  return (
    a.geometry === b.geometry &&
    areEqual(a.members, b.members) &&
    areEqual(a.properties, b.properties)
  );
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
