/** The layout properties of a layer that decide which of its symbols are shown, and where. */
import type { View3 } from '../../../base/spatial/view.ts';
import type { IconRules } from './icon-position.ts';
import { translation, type ReadProperty } from '../style/property-values.ts';
import type { Overlap } from './collision.ts';
import type { LineRules } from './line-candidates.ts';
import { rotationAlignment, stanceOf } from '../symbol/stance.ts';
import type { SymbolLayer } from '../symbol/label-tiles.ts';

export interface SymbolRules {
  text: OverlapRules & Omit<LineRules, 'bounds'>;
  icon: OverlapRules & IconRules;
  zOrder: 'auto' | 'source' | 'viewport-y';
  /** Whether symbols of the layer may be drawn over each other */
  mayOverlap: boolean;
}

interface OverlapRules {
  overlap: Overlap;
  /** Whether other symbols must avoid this one */
  blocksOthers: boolean;
  /** Whether the rest of the symbol is shown without this part */
  isOptional: boolean;
}

export function symbolRules(layer: SymbolLayer, view: View3): SymbolRules {
  const { compiled, readLayout: read } = layer;
  const [text, icon] = [overlapRules(read, 'text'), overlapRules(read, 'icon')];
  const translate = translation(layer, view, 'text');
  const stance = stanceOf(layer, 'text');
  // MapLibre's shaders then skip the correction for the distance, for texts too.
  const keepsSize = compiled.given.has('icon-offset');
  const alignment = rotationAlignment(layer, 'text');
  return {
    text: {
      ...text,
      translate,
      stance,
      keepsSize,
      paddingPx: read<number>('text-padding')(),
      keepUpright: read<boolean>('text-keep-upright')(),
      followsLine: alignment !== 'viewport-glyph',
    },
    icon: {
      ...icon,
      translate: translation(layer, view, 'icon'),
      stance: stanceOf(layer, 'icon'),
      keepsSize,
      text: { translate, stance },
      keepUpright: read<boolean>('icon-keep-upright')(),
      // The alignment of the text also turns icons.
      turnsWithLine: alignment === 'map' || alignment === 'auto',
    },
    zOrder: read<SymbolRules['zOrder']>('symbol-z-order')(),
    mayOverlap: [text, icon].some(
      ({ overlap, blocksOthers }) => overlap !== 'never' || !blocksOthers,
    ),
  };
}

function overlapRules(read: ReadProperty, part: 'text' | 'icon'): OverlapRules {
  const overlap = read<Overlap | undefined>(`${part}-overlap`)();
  return {
    overlap: overlap ?? (read<boolean>(`${part}-allow-overlap`)() ? 'always' : 'never'),
    blocksOthers: !read<boolean>(`${part}-ignore-placement`)(),
    isOptional: read<boolean>(`${part}-optional`)(),
  };
}
