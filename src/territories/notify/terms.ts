/** Tells people of terms that end, and ends holdings whose terms say so. */
import type { Database } from '../../base/db/database.ts';
import { brandsWithDueTerms, keepTermsOf } from '../brands/terms/keep-terms.ts';
import { attemptEach } from './attempt-each.ts';

export const keepTerms = async (db: Database): Promise<void> =>
  attemptEach(await brandsWithDueTerms(db), (due) => keepTermsOf(db, due));
