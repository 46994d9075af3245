import type { Layout } from '../layout.ts';

export interface Source {
  /** Vintage of the census figures */
  census?: string | null | undefined;
  /** Vintage of the scores */
  vintage?: string | undefined;
  /** Time when the scores were computed, ISO 8601 */
  updatedAt?: string | undefined;
}

/** Returns lines that name the source of the figures in a response. */
export function formatSource({ census, vintage, updatedAt }: Source, layout: Layout): string {
  const computed = updatedAt ? `, computed on ${updatedAt.slice(0, 10)}` : '';
  return [
    ...(census ? [`Census figures: ${census}`] : []),
    ...(vintage ? [`Scores: ${vintage}${computed}`] : []),
  ]
    .map((line) => layout.paint('dim', line))
    .join('\n');
}
