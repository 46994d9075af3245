/** Names of a shapefile's fields, which have at most ten characters. */

const MAX_CHARACTERS = 10;

/** Short forms of names that would be unclear if they were truncated */
const SHORT: Readonly<Record<string, string>> = {
  hasBoundary: 'hasBound',
  populationTotal: 'population',
  householdsTotal: 'households',
  medianHouseholdIncome: 'medIncome',
  ownerOccupiedHouseholds: 'ownerHh',
  ownerOccupiedPct: 'ownerPct',
  medianHomeValue: 'medHomeVal',
  singleFamilyDetachedPct: 'detachPct',
  medianYearBuilt: 'medYrBuilt',
  homeAgePre1980Pct: 'pre1980Pct',
  homeAge19801999Pct: 'y80to99Pct',
  homeAge2000PlusPct: 'y2000onPct',
  householdsTotalChangePct: 'hhChgPct',
  householdsTotalChangeMargin: 'hhChgMoe',
  householdsTotalChangeClear: 'hhChgClear',
  ownerOccupiedHouseholdsChangePct: 'ownChgPct',
  ownerOccupiedHouseholdsChangeMargin: 'ownChgMoe',
  ownerOccupiedHouseholdsChangeClear: 'ownChgClr',
  medianHouseholdIncomeChangePct: 'incChgPct',
  medianHouseholdIncomeChangeMargin: 'incChgMoe',
  medianHouseholdIncomeChangeClear: 'incChgClr',
  changesSince: 'chgSince',
  demographicsVintage: 'censusVint',
  scoresVintage: 'scoreVint',
  boundariesVintage: 'boundVint',
};

/** The end of a score's name, which is omitted */
const SCORE = /(?<=\w)Score$/;

/** Returns a name for each column. Names are unique even without regard to case. */
export function fieldNames(columns: readonly string[]): string[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    const plain = (SHORT[column] ?? column.replace(SCORE, '')).replaceAll(/[^A-Za-z0-9_]+/g, '_');
    const base = /^[A-Za-z]/.test(plain) ? plain : `f_${plain}`;
    let name = base.slice(0, MAX_CHARACTERS);
    for (let i = 2; taken.has(name.toLowerCase()); i++) {
      name = base.slice(0, MAX_CHARACTERS - String(i).length) + i;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}
