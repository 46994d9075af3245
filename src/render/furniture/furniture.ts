/** The parts drawn around a map: title, legend, and sources. */
export interface MapFurniture {
  title?: string;
  subtitle?: string;
  legend?: Legend;
  /** Source and year of the figures, e.g. `ACS 5-Year 2019-2023` */
  vintage?: string;
  attribution?: string;
}

export interface Legend {
  title: string;
  /** Lowest class first; drawn with the highest at the top */
  classes: readonly LegendClass[];
  noData?: LegendClass;
}

export interface LegendClass {
  /** CSS color as it appears on the map */
  color: string;
  /** What tells the class apart for readers who can't tell its color */
  mark?: LegendMark;
  label: string;
}

export type LegendMark = 'hatch' | 'broken-edge';
