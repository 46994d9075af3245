/** What a brand should keep, cut and add by a vertical's scores. */
import { badRequest } from '../../../../../errors.ts';
import { suggestionsPage } from './view.ts';
import { VERTICALS } from '../../../../../scoring/verticals.ts';
import { brandNamed } from '../../../../../territory/brands.ts';
import { ADD_FROM, compareToScores, KEEP_FROM } from '../../../../../territory/compare.ts';
import { discover, MAX_RADIUS_MILES } from '../../../../../territory/discover.ts';
import { changeHindrance } from '../../../../../account/may-change.ts';
import type { PersonPage } from '../../../../framework/page.ts';
import { residentOf } from '../../../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../../../framework/visit.ts';

const LISTED = 10;
const USUAL_MILES = 15;

export const suggestions = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account/brands/{brand}/suggestions',
  show: async (visit) => {
    const { caller, params, query, links } = visit;
    const { tenant, brandScope } = caller;
    const brand = await brandNamed(tenant, brandScope, params.brand!);
    const asked = {
      vertical: query.get('vertical') || VERTICALS[0].slug,
      keepFrom: numberOf(query, 'keep', KEEP_FROM, 100),
      addFrom: numberOf(query, 'add', ADD_FROM, 100),
      miles: numberOf(query, 'miles', USUAL_MILES, MAX_RADIUS_MILES, 1),
    };
    if (asked.addFrom < asked.keepFrom) {
      throw badRequest(
        '“Add from” must be no less than “Cut below”: what is added would be cut again.',
      );
    }
    const { vertical, addFrom: minScore, miles: radiusMiles } = asked;
    const comparison = await compareToScores(db, tenant, brandScope, brand, {
      ...asked,
      limit: LISTED,
    });
    const listed = new Set(comparison.add.map(({ zip }) => zip));
    const [common, around] = await Promise.all([
      residentOf(db, visit),
      comparison.now.zips === 0
        ? []
        : discover(
            tenant,
            brandScope,
            { vertical, brand, source: { brand: 'border' }, radiusMiles, minScore },
            { limit: 4 * LISTED },
          ).then(({ rows }) => rows.filter(({ zip, adjacent }) => !adjacent && !listed.has(zip))),
    ]);
    return suggestionsPage(
      {
        ...common,
        brand,
        asked,
        comparison,
        around: around.slice(0, LISTED),
        hindrance: changeHindrance(caller),
      },
      links,
    );
  },
});

/** @throws ServiceError 400 for what is no whole number of the range */
function numberOf(
  query: URLSearchParams,
  name: string,
  usual: number,
  most: number,
  least = 0,
): number {
  const text = query.get(name);
  if (!text) return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw badRequest(`${name} must be a whole number from ${least} to ${most}.`);
}
