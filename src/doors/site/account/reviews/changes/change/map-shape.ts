/** What the map of a change shows, as its data and its script exchange it. Lists of ZIP codes are texts, separated by spaces. */
export interface ChangeMapData {
  /** Live ZIP codes of the change's brands */
  live: string;
  brands: { name: string; added: string; removed: string }[];
}
