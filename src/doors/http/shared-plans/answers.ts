/** Answers about shared plans. */
import type { Database } from '../../../base/db/database.ts';
import { openPlanShare, type OpenPlan } from '../../../territories/plans/shares.ts';
import type { AnswerCacheOptions, AnswerCaches } from '../answers/answer-caches.ts';
import { tokenAnswers, type TokenAnswers } from '../shared/answers.ts';

export const planAnswers = (
  db: Database,
  caches: AnswerCaches,
  options: AnswerCacheOptions,
): TokenAnswers<OpenPlan> =>
  tokenAnswers(
    caches,
    options,
    (token) => openPlanShare(db, token),
    ({ organizationId, plan }) => [organizationId, plan.id, plan.version],
  );
