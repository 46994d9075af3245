/** The measures of an effect, in the order of the web pages. Separate, because the command line loads only this. */
export const MEASURES = [
  ['ZIP codes', 'zips'],
  ['households', 'households'],
  ['pieces', 'pieces'],
  ['holes', 'holes'],
  ['gaps', 'gaps'],
  ['isolated', 'isolated'],
  ['shared', 'shared'],
  ['households from the mean of the brands', 'balancePct', '%'],
] as const;

export const valueText = (value: number | null, unit: string): string =>
  value === null ? '–' : value.toLocaleString('en-US') + unit;
