/** Opens a file as rows, in a thread that asks for its chunks. */
import { openFile } from '../../../base/files/open-file.ts';
import { MAX_COLUMNS } from './columns.ts';
import { featureTable } from './feature-rows.ts';
import type { RowSource } from './start-table.ts';

/** Returns the next chunk of the file; null after the last */
export type NextChunk = () => Promise<Uint8Array | null>;

/** @throws ServiceError 400 for a file that isn't a table or features */
export async function openRows(next: NextChunk, sheet: string | undefined): Promise<RowSource> {
  const file = await openFile(chunksFrom(next), { sheet, maxColumns: MAX_COLUMNS });
  return 'rows' in file ? file : featureTable(file);
}

/** Asks for one chunk at a time, so that only one waits in this thread. */
async function* chunksFrom(next: NextChunk): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = await next();
    if (chunk === null) return;
    yield chunk;
  }
}
