/**
 * The classes of all ZIP codes in a single text. The character at the position of a ZIP code's number is
 * the index of its class, 0 for the lowest, or `NO_CLASS`. Pure.
 */
import type { ExpressionSpecification } from 'maplibre-gl';

export const NO_CLASS = '-';

/** Returns a ZIP code's class; null if it has none. */
export function classIn(text: string, zip: string): number | null {
  const character = text[Number(zip)] ?? NO_CLASS;
  return character === NO_CLASS ? null : Number(character);
}

/** Classes of the map, plus one for ZIP codes without a class */
const BASE = 6;
const NONE = BASE - 1;
/** As many classes as fit in an exact number: 6^20 < 2^53 */
const PER_NUMBER = 20;

/**
 * Returns an expression for a feature's class by its property `zip`, or `NONE`. Each number encodes twenty
 * ZIP codes, because every tile has its own copy of the expression.
 */
function classExpression(text: string): ExpressionSpecification {
  const packed = Array.from({ length: Math.ceil(text.length / PER_NUMBER) }, (_, i) => {
    let sum = 0;
    for (let at = PER_NUMBER - 1; at >= 0; at--) {
      const character = text[i * PER_NUMBER + at] ?? NO_CLASS;
      sum = sum * BASE + (character === NO_CLASS ? NONE : Number(character));
    }
    return sum;
  });
  const number: ExpressionSpecification = ['to-number', ['get', 'zip']];
  const packedOf: ExpressionSpecification = [
    'at',
    ['floor', ['/', number, PER_NUMBER]],
    ['literal', packed],
  ];
  const place: ExpressionSpecification = ['^', BASE, ['%', number, PER_NUMBER]];
  return ['%', ['floor', ['/', packedOf, place]], BASE];
}

/** Returns an expression for a feature's color: the color of its class, or none. */
export function classColors(text: string, colors: readonly string[]): ExpressionSpecification {
  if (text === '') return ['to-color', CLEAR];
  const steps = [...colors, CLEAR].flatMap((color, i) => (i === 0 ? [color] : [i, color]));
  return ['step', classExpression(text), ...steps] as ExpressionSpecification;
}

const CLEAR = 'rgba(0,0,0,0)';
