/** The sources of public data. */
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets, type DatasetName } from '../../../base/db/datasets.ts';
import { unavailable } from '../../../errors.ts';

/** The source of the scores. */
interface ScoresSource {
  /** Source and year; states whether the data is synthetic */
  vintage: string;
  /** Time of computation, ISO 8601 */
  updatedAt: string;
}

/** @throws ServiceError 503 before ZIP codes and scores are imported: an empty ranking would mislead */
export async function scoresSource(db: Queryable): Promise<ScoresSource> {
  const sources = await readDatasets(db);
  const scores = sources.get('scores');
  if (!scores || !sources.has('boundaries')) {
    throw unavailable(
      'The ZIP codes and their scores have not been imported yet. Try again after the operator has imported them.',
    );
  }
  return { vintage: scores.vintage, updatedAt: scores.importedAt.toISOString() };
}

/**
 * Imported public data. An import of counties assigns ZIP codes to counties and thereby to metros. The
 * metros and weights are part of the program.
 */
export const PUBLIC_DATASETS: readonly DatasetName[] = [
  'boundaries',
  'demographics',
  'scores',
  'counties',
];
