/** The data study: figures of all launched metros and verticals. */
import type { Complete } from '../../base/contract/resources.ts';
import type { PublicDataStudy } from '../../base/contract/vertical-resources.ts';

export type Study = Complete<typeof PublicDataStudy>;
export type StudyVertical = Study['verticals'][number];
export type StudyMetro = Study['metros'][number];

/** A metro's figures in one vertical */
type MetroFigures = StudyMetro['verticals'][number];

export function figuresIn(metro: StudyMetro, verticalSlug: string): MetroFigures {
  return metro.verticals.find((v) => v.verticalSlug === verticalSlug)!;
}

/** Sorts by average, highest first. Rows without a score are last. */
export function byAverage<T extends { averageScore: number | null }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (b.averageScore ?? -1) - (a.averageScore ?? -1));
}

/** Returns the metros with their figures in a vertical, highest average first. */
export function metrosByAverage(study: Study, verticalSlug: string): (StudyMetro & MetroFigures)[] {
  return byAverage(study.metros.map((metro) => ({ ...metro, ...figuresIn(metro, verticalSlug) })));
}
