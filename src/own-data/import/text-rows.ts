/** Reads the rows of a CSV or TSV text as it arrives. Pure. */
import { RowSplitter, type Row } from '../../lists/rows.ts';

/** Number of characters that decide the delimiter: far more than the lines of the sample have */
const SAMPLE_LENGTH = 500_000;

export async function* textRows(texts: AsyncIterable<string>): AsyncGenerator<Row[]> {
  let sample = '';
  let splitter: RowSplitter | null = null;
  for await (const text of texts) {
    if (splitter !== null) {
      yield splitter.push(text);
      continue;
    }
    sample += text;
    if (sample.length < SAMPLE_LENGTH) continue;
    splitter = new RowSplitter(sample.slice(0, SAMPLE_LENGTH));
    yield splitter.push(sample);
  }
  if (splitter === null) {
    splitter = new RowSplitter(sample);
    yield splitter.push(sample);
  }
  yield splitter.end();
}
