/** The reasons for a ZIP code's score, and its score in an earlier period, for the card on the map. */
import { hasAccess } from '../../../../people/account/access.ts';
import { badRequest } from '../../../../errors.ts';
import {
  figuresOrReason,
  isWithheld,
  recordSeenZips,
} from '../../../../people/metering/figures.ts';
import { driversOf } from '../../../../data/scoring/drivers.ts';
import { nationalSignals } from '../../../../data/scoring/national-signals.ts';
import { verticalBySlug } from '../../../../data/scoring/verticals.ts';
import { earlierScores } from '../../../../data/vintages/earlier-scores.ts';
import { changesOrReason, isIncomparable } from '../../../../territories/brands/census/changes.ts';
import { withOwnData } from '../../../../territories/brands/targeting/own-ranks.ts';
import { inputsOf, readProfile } from '../../../../territories/brands/targeting/profile.ts';
import type { MemberData } from '../../framework/data.ts';
import type { MemberVisit } from '../../framework/visit.ts';

/** Reasons of each kind */
const SHOWN = 3;

export const zipRoute: MemberData = {
  audience: 'member',
  path: '/account/map/zips/{zip}.json',
  async answer(visit) {
    const reasons = await figuresOrReason(() => reasonsOf(visit));
    return { body: isWithheld(reasons) ? { lifts: [], lowers: [], ...reasons } : reasons };
  },
};

/** @throws ServiceError 400 for a malformed ZIP code; 402 as `recordSeenZips`; 404 for an unknown vertical */
async function reasonsOf({ db, caller, params, query }: MemberVisit) {
  const zip = params.zip!;
  if (!/^\d{5}$/.test(zip)) throw badRequest('A ZIP code has five digits, such as 75201.');
  const vertical = verticalBySlug(query.get('vertical') ?? '');
  const usesOwn = query.get('own') === 'yes' && hasAccess(caller.subscription);
  const signals = await nationalSignals(db);
  const row = signals.rowOf.get(zip);
  if (row === undefined) return { lifts: [], lowers: [] };
  await recordSeenZips(caller, [zip]);
  if (!usesOwn) {
    const earlier = await changesOrReason(() => earlierScores(db));
    const score = isIncomparable(earlier) ? null : earlier.scoreOf(vertical.slug, zip);
    return {
      ...driversOf(vertical.inputs, signals.ranks, row, SHOWN),
      ...(!isIncomparable(earlier) &&
        score !== null && { before: { score, period: earlier.period } }),
    };
  }
  const profile = await readProfile(caller.tenant, vertical.slug);
  const { ranks, data } = await withOwnData(caller, signals, profile);
  const among = profile.among === 'data' ? 'ZIP codes with data' : 'ZIP codes';
  const own = new Map(data.map(({ field, label }) => [field as string, { label, among }]));
  return driversOf(inputsOf(profile.weights), ranks, row, SHOWN, own);
}
