/** Checks an uploaded measure against the imported data and a plan's market. */
import type { Tenant } from '../account/tenant.ts';
import { badRequest } from '../errors.ts';
import { letOthersRun } from '../contract/let-others-run.ts';
import { groupByReason, missingBoundaries } from '../market/missing-boundaries.ts';
import { knownZips } from '../territory/import/zip-states.ts';
import { asSentence } from '../text/words.ts';
import { readMeasureFile, type MeasureColumns, type MeasureRow } from './measure-file.ts';
import type { SavedPlan } from './plans.ts';

export interface CheckedMeasure {
  /** Heading of the amounts; null if the file has no headings */
  heading: string | null;
  /** A sentence that names the columns read */
  summary: string;
  /** Amounts of the market's ZIP codes, sorted */
  amounts: Map<string, number>;
  /** ZIP codes of the market without an amount, sorted. They count as 0. */
  withoutAmount: string[];
  /** Number of ignored ZIP codes outside the market */
  outsideMarket: number;
  /** Rejected and uncertain rows, in the order of the file */
  findings: MeasureFinding[];
}

/** A row that was rejected or whose ZIP code was guessed */
export interface MeasureFinding {
  line: number;
  /** The row's text, truncated if long */
  given: string;
  zip: string | null;
  outcome: 'guessed' | 'repeated' | 'unknown' | 'not_understood' | 'no_amount';
  reason: string;
}

/** Reads and checks a file. @throws ServiceError 400 as `readMeasureFile`, and if no amount is above 0 */
export async function checkMeasure(
  tenant: Tenant,
  { zips, name }: Pick<SavedPlan, 'zips' | 'name'>,
  text: string,
  columns: MeasureColumns = {},
): Promise<CheckedMeasure> {
  const { rows, ...file } = readMeasureFile(text, columns);
  await letOthersRun();
  const market = new Set(zips);
  const others = new Set(rows.flatMap(({ zip: { zip } }) => (zip && !market.has(zip) ? zip : [])));
  const known = new Set(others.size === 0 ? [] : await knownZips(tenant, [...others]));
  const unknown = [...others].filter((zip) => !known.has(zip));
  const reasons = new Map(
    groupByReason(
      unknown.length === 0 ? [] : await missingBoundaries(tenant.common, unknown),
    ).flatMap((group) => group.zips.map((zip) => [zip, group.reason] as const)),
  );
  const { amountOf, findings } = classify(rows, reasons);
  const inMarket = zips.filter((zip) => amountOf.has(zip));
  const amounts = new Map(inMarket.map((zip) => [zip, amountOf.get(zip)!]));
  if (!inMarket.some((zip) => amounts.get(zip)! > 0)) {
    const [first] = findings;
    throw badRequest(
      `The file has no amount above 0 for any ZIP code of "${name}". ` +
        (first ? `Line ${first.line}: ${first.reason}` : 'Check that it is for the same market.'),
    );
  }
  return {
    ...file,
    amounts,
    withoutAmount: zips.filter((zip) => !amounts.has(zip)),
    outsideMarket: amountOf.size - amounts.size,
    findings,
  };
}

/** Picks one row per ZIP code: the first whose ZIP code was certain, or else the first that was guessed. */
function classify(rows: readonly MeasureRow[], unknown: ReadonlyMap<string, string>) {
  const certain = new Set(
    rows.flatMap(({ zip: { outcome, zip }, amount }) =>
      outcome === 'new' && amount.value !== null && !unknown.has(zip!) ? zip! : [],
    ),
  );
  const amountOf = new Map<string, number>();
  const firstAt = new Map<string, number>();
  const findings: MeasureFinding[] = [];
  for (const { zip: reading, amount } of rows) {
    const { at: line, given, zip } = reading;
    const report = (outcome: MeasureFinding['outcome'], reason: string) =>
      findings.push({ line, given, zip, outcome, reason });
    if (zip === null) {
      report('not_understood', reading.reason!);
      continue;
    }
    const first = firstAt.get(zip);
    const isGuess = reading.outcome === 'guessed';
    if (first !== undefined) {
      report('repeated', `The same ZIP code is in line ${first}, which is used.`);
    } else if (isGuess && certain.has(zip)) {
      report('repeated', 'A row below clearly has the same ZIP code, and that row is used.');
    } else {
      const why = unknown.get(zip);
      if (why !== undefined) report('unknown', asSentence(why));
      else if (amount.value === null) report('no_amount', amount.reason);
      else {
        firstAt.set(zip, line);
        amountOf.set(zip, amount.value);
        if (isGuess) report('guessed', reading.reason!);
      }
    }
  }
  return { amountOf, findings };
}
