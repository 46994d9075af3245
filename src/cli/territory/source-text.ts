/** Where an answer's figures come from. */
import type { Paper } from '../paper.ts';

export interface Source {
  /** Of the census figures */
  census?: string | null | undefined;
  /** Of the scores */
  vintage?: string | undefined;
  /** When the scores were computed, ISO 8601 */
  updatedAt?: string | undefined;
}

export function sourceText({ census, vintage, updatedAt }: Source, paper: Paper): string {
  const computed = updatedAt ? `, computed on ${updatedAt.slice(0, 10)}` : '';
  return [
    ...(census ? [`Census figures from: ${census}`] : []),
    ...(vintage ? [`Scores from: ${vintage}${computed}`] : []),
  ]
    .map((line) => paper.paint('dim', line))
    .join('\n');
}
