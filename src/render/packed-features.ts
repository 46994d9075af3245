/** Packs features as lists of forms and values instead of objects. */
import type { Feature } from 'geojson';
import type { ListWriter } from './packed-lists.ts';

export interface PackedFeatures {
  forms: readonly Form[];
  /** Index of each feature's form; -1 for a feature that is stored whole among the values */
  formOf: Int32Array;
  /** The values of each feature, in the order of its form */
  values: readonly unknown[];
}

/** The structure of features: their geometry type and the names of their members and properties */
interface Form {
  geometry: string;
  /** Names of members, such as `id`, besides the three that all features have */
  members: readonly string[];
  properties: readonly string[];
}

/** The more forms there are, the longer it takes to find one. */
const MAX_FORMS = 32;

/**
 * Writes the coordinates to `writer`. Malformed features stay unchanged, so that the engine can refuse
 * them.
 */
export function packFeatures(features: readonly Feature[], writer: ListWriter): PackedFeatures {
  const forms: Form[] = [];
  const formOf = new Int32Array(features.length);
  const values: unknown[] = [];
  for (const [i, feature] of features.entries()) {
    const form = formOfFeature(feature);
    const known = form === null ? -1 : forms.findIndex((other) => isSame(other, form));
    if (
      form === null ||
      (known < 0 && forms.length === MAX_FORMS) ||
      !writer.write((feature.geometry as { coordinates: unknown }).coordinates)
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
  return { forms, formOf, values };
}

/** @param read returns the next coordinates */
export function unpackFeatures(
  { forms, formOf, values }: PackedFeatures,
  read: () => unknown[],
): Feature[] {
  let next = 0;
  return Array.from(formOf, (index) => {
    if (index < 0) return values[next++] as Feature;
    const { geometry, members, properties } = forms[index]!;
    const feature: Values = { type: 'Feature' };
    for (const name of members) feature[name] = values[next++];
    const named: Values = {};
    for (const name of properties) named[name] = values[next++];
    feature.properties = named;
    feature.geometry = { type: geometry, coordinates: read() };
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
  if (Object.keys(geometry).length !== 2 || !('coordinates' in geometry)) return null;
  const names = Object.keys(properties);
  const members = Object.keys(feature).filter((name) => !COMMON.has(name));
  // Assigning to `__proto__` would change the prototype.
  const isPlain =
    !Array.isArray(properties) && !names.includes('__proto__') && !members.includes('__proto__');
  return isPlain ? { geometry: geometry.type, members, properties: names } : null;
}

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
