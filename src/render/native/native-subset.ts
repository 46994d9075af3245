/**
 * Refuses what MapLibre Native doesn't draw. It would leave out the layer without an error, or terminate
 * its process for an unknown expression in a text. The style specification lists what the native SDKs
 * support; the library logs the rest when it parses the style (`still-map.ts`).
 */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { createRequire } from 'node:module';
import type { Camera } from '../../base/spatial/camera.ts';
import { UnsupportedStyleError, type Unsupported } from '../errors.ts';
import { operatorsIn } from '../expression-operators.ts';

interface Entry {
  /** Version of each SDK that introduced the property, or the address of an issue that requests it */
  'sdk-support'?: { 'basic functionality'?: { ios?: string } };
}
type Entries = Readonly<Record<string, Entry>>;

/** The specification with documentation, which the package doesn't export */
const specification = createRequire(import.meta.url)(
  '@maplibre/maplibre-gl-style-spec/dist/latest.json',
) as Readonly<Record<string, Entries>> & { expression_name: { values: Entries } };

/** The npm package 6.4 is older than version 7 of the iOS SDK, which shares its core. */
const FIRST_LATER_SDK = 7;

/** Degrees */
const MAX_PITCH = 60;

export const INSTEAD = 'Remove it, or use RENDER_ENGINE=canvas.';
export const NOT_DRAWN_BY_NATIVE = `is not drawn by the maplibre-native engine. ${INSTEAD}`;

const ROOT_WITHOUT_SUPPORT = ['terrain', 'sky', 'font-faces'];

/** @throws UnsupportedStyleError naming every property that the library is known not to draw */
export function refuseUnsupportedByNative(style: StyleSpecification): void {
  const visible = style.layers
    .map((layer, index) => ({ layer, path: `layers[${index}]` }))
    .filter(({ layer }) => layer.layout?.visibility !== 'none');
  const unsupported = [
    ...[
      ...ROOT_WITHOUT_SUPPORT.filter((name) => name in style),
      ...((style.projection?.type ?? 'mercator') === 'mercator' ? [] : ['projection']),
    ].map((property) => ({ property, reason: NOT_DRAWN_BY_NATIVE })),
    ...visible.flatMap(({ layer, path }) => [...unsupportedInLayer(layer, path)]),
  ];
  if (unsupported.length > 0) throw new UnsupportedStyleError(unsupported);
}

/** @throws UnsupportedStyleError for a camera with values that the library would ignore */
export function refuseCameraForNative({ roll = 0, pitch = 0 }: Camera): void {
  const unsupported = [
    ...(roll === 0 ? [] : [{ property: 'roll', reason: NOT_DRAWN_BY_NATIVE }]),
    ...(pitch <= MAX_PITCH
      ? []
      : [{ property: 'pitch', reason: `above ${MAX_PITCH} ${NOT_DRAWN_BY_NATIVE}` }]),
  ];
  if (unsupported.length > 0) throw new UnsupportedStyleError(unsupported);
}

function* unsupportedInLayer(layer: LayerSpecification, path: string): Generator<Unsupported> {
  if ('filter' in layer) yield* unsupportedOperators(layer.filter, `${path}.filter`);
  for (const group of ['layout', 'paint'] as const) {
    const entries = specification[`${group}_${layer.type}`]!;
    for (const [name, value] of Object.entries(layer[group] ?? {})) {
      const property = `${path}.${group}.${name}`;
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (entry !== undefined && !isDrawn(entry)) yield { property, reason: NOT_DRAWN_BY_NATIVE };
      else yield* unsupportedOperators(value, property);
    }
  }
}

function isDrawn({ 'sdk-support': support }: Entry): boolean {
  const version = support?.['basic functionality']?.ios ?? '';
  return !version.startsWith('https:') && !(Number.parseInt(version, 10) >= FIRST_LATER_SDK);
}

function* unsupportedOperators(value: unknown, property: string): Generator<Unsupported> {
  const { values } = specification.expression_name;
  for (const operator of operatorsIn(value)) {
    if (!Object.hasOwn(values, operator)) continue;
    if (isDrawn(values[operator]!)) continue;
    const reason = `uses the expression "${operator}", which the maplibre-native engine does not support. ${INSTEAD}`;
    yield { property, reason };
  }
}
