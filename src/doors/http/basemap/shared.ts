/** Shared by the operations of the basemap. */
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { CONSTANT } from '../answers/prepared-cache.ts';

export const MAPS = { method: 'get', tag: 'Maps', auth: 'none', limit: 'tiles' } as const;

/** Version of glyphs and sprites, which change only with the program. */
export const assetsVersion = (caches: AnswerCaches) => caches.versionOf(CONSTANT);
