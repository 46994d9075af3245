import { expect, it } from 'vitest';
import { formatSignedPercent } from '../../src/text/words.ts';

it('differences have a sign, unless they are rounded to zero', () => {
  expect([12, -3.04, 0.04, -0.04].map(formatSignedPercent)).toEqual([
    '+12.0%',
    '−3.0%',
    '0%',
    '0%',
  ]);
});
