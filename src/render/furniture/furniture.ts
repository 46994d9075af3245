/** What stands around the map in a picture: its title, its legend, where its data come from. */
export interface MapFurniture {
  title?: string;
  subtitle?: string;
  legend?: Legend;
  /** What the numbers are and of when, e.g. `ACS 5-Year 2019-2023` */
  vintage?: string;
  attribution?: string;
}

export interface Legend {
  title: string;
  /** From the lowest class to the highest; shown with the highest on top */
  classes: readonly LegendClass[];
  noData?: LegendClass;
}

export interface LegendClass {
  /** CSS colour, as it appears on the map */
  color: string;
  label: string;
}
