/** Amounts of all data sets in a market, by column, for maps that show many ZIP codes at once. */
import { zipArray } from '../../base/db/zip-array.ts';
import { amountWithoutRows, type DataSet } from './data-sets.ts';
import { zipsInScope, type DataViewer } from './viewer-data.ts';

/** A data set's amounts in a market, in the order of its ZIP codes */
export interface AmountColumn extends Pick<
  DataSet,
  'slug' | 'name' | 'addsUp' | 'unit' | 'period'
> {
  /** Null is unknown: a mean without rows, or an amount that the caller doesn't see */
  amounts: (number | null)[];
  /** Number of rows behind each amount, which weight means */
  rows: number[];
}

/**
 * Returns the data sets that have an amount in these ZIP codes, by name, with what the caller sees of it.
 * @param zips in order
 */
export async function amountColumns(
  viewer: DataViewer,
  zips: readonly string[],
): Promise<AmountColumn[]> {
  const scope = await zipsInScope(viewer);
  const seen = scope === null ? zips : zips.filter((zip) => scope.has(zip));
  type Row = Omit<AmountColumn, 'amounts' | 'rows'> &
    Record<'zips' | 'amounts' | 'rows', string> & { own: boolean };
  // The database driver reads text much faster than long arrays.
  const rows = await viewer.tenant.query<Row>(
    `select slug, name, "addsUp", unit, period, own, string_agg(zip, ' ') as zips,
       string_agg(amount::text, ' ') as amounts, string_agg(row_count::text, ' ') as rows
     from (
       select d.slug, d.name, d.adds_up as "addsUp", d.unit, d.period,
         $4::uuid[] is null or d.brand_ids <@ $4::uuid[] is true as own, unnest(u.zips) as zip, unnest(u.amounts) as amount, unnest(u.row_counts) as row_count
       from data_sets d
       join data_set_uploads u on u.organization_id = $1 and u.data_set_id = d.id and u.number = d.upload
       where d.organization_id = $1
     ) as cells
     where zip = any(case when own then $3 else $2 end::text[])
     group by 1, 2, 3, 4, 5, 6 order by lower(name)`,
    [zipArray(seen), zipArray(zips), viewer.brandScope === 'all' ? null : [...viewer.brandScope]],
  );
  return rows.map(({ zips: found, amounts, rows: counts, own, ...set }) => {
    const [amountOf, countOf] = [amounts, counts].map((text) => {
      const numbers = text.split(' ');
      return new Map(found.split(' ').map((zip, i) => [zip, Number(numbers[i])]));
    });
    const none = (zip: string) =>
      amountWithoutRows(set.addsUp, own || scope === null || scope.has(zip));
    return {
      ...set,
      amounts: zips.map((zip) => amountOf!.get(zip) ?? none(zip)),
      rows: zips.map((zip) => countOf!.get(zip) ?? 0),
    };
  });
}
