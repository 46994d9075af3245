/** What the public answers are made of, and how old it is. */
import type { Queryable } from '../../db/database.ts';
import { readDatasets, type DatasetName } from '../../db/datasets.ts';
import { unavailable } from '../../errors.ts';

/** Of the scores. */
export interface ScoresSource {
  /** For people; sample data say there that they are synthetic */
  vintage: string;
  /** When they were computed, ISO 8601 */
  updatedAt: string;
}

/**
 * @throws ServiceError 503 before there are ZIPs and scores: an empty ranking would pass for the truth
 */
export async function scoresSource(db: Queryable): Promise<ScoresSource> {
  const sources = await readDatasets(db);
  const scores = sources.get('scores');
  if (!scores || !sources.has('boundaries')) {
    throw unavailable('The ZIPs and their scores have not been imported yet.');
  }
  return { vintage: scores.vintage, updatedAt: scores.importedAt.toISOString() };
}

/** Besides the metros and the weights, which come with the program. */
const SOURCES: readonly DatasetName[] = ['boundaries', 'demographics', 'scores'];

/** Changes whenever an import has changed what the public answers are made of. */
export async function publicStamp(db: Queryable): Promise<string> {
  const sources = await readDatasets(db);
  return SOURCES.map((name) => sources.get(name)?.importedAt.getTime() ?? 0).join();
}
