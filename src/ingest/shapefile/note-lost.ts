import { pluralize } from '../../text/words.ts';

/**
 * Reports what a shapefile loses: records marked as deleted, and shapes without a record or the reverse.
 * @param excess number of shapes, less that of records
 */
export function noteLost(
  file: string,
  deleted: number,
  excess: number,
  note: (text: string) => void,
): void {
  const report = (count: number, noun: string, rest: string) => {
    if (count <= 0) return;
    note(`${file}: ${pluralize(count, noun)} ${rest} ${count === 1 ? 'was' : 'were'} left out`);
  };
  report(deleted, 'record', 'marked as deleted');
  report(excess, 'shape', 'without a record');
  report(-excess, 'record', 'without a shape');
}
