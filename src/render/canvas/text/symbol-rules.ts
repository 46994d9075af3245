/** The layout properties of a layer that decide which of its symbols are shown, and where. */
import type { IconRules } from '../icon/place.ts';
import type { ReadProperty } from '../property-values.ts';
import type { Overlap } from './collision.ts';
import type { SymbolLayer } from './symbol.ts';

export interface SymbolRules {
  text: OverlapRules & {
    translate: readonly [number, number];
    paddingPx: number;
    keepUpright: boolean;
    /** Whether glyphs rotate with the line */
    followsLine: boolean;
  };
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

export function symbolRules({ read: readPaint, readLayout: read }: SymbolLayer): SymbolRules {
  const [text, icon] = [overlapRules(read, 'text'), overlapRules(read, 'icon')];
  const textTranslate = readPaint<[number, number]>('text-translate')();
  const alignment = read<string>('text-rotation-alignment')();
  return {
    text: {
      ...text,
      translate: textTranslate,
      paddingPx: read<number>('text-padding')(),
      keepUpright: read<boolean>('text-keep-upright')(),
      followsLine: alignment !== 'viewport-glyph',
    },
    icon: {
      ...icon,
      translate: readPaint<[number, number]>('icon-translate')(),
      textTranslate,
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
