/**
 * The functions of the style specification. They are loaded with `require`. With `import`, Node would first
 * search this large CommonJS package for exports, which takes several times as long.
 */
import { createRequire } from 'node:module';

export const {
  Color,
  createExpression,
  createVisibilityExpression,
  featureFilter,
  Formatted,
  latest,
  normalizePropertyExpression,
  validateStyleMin,
} = createRequire(import.meta.url)(
  '@maplibre/maplibre-gl-style-spec',
) as typeof import('@maplibre/maplibre-gl-style-spec');
