/** ZIP codes to add, cut, and keep, by a vertical's scores. */
import { changeRefusal } from '../../../../../account/access.ts';
import { badRequest } from '../../../../../errors.ts';
import { figuresOrReason } from '../../../../../metering/figures.ts';
import { VERTICALS } from '../../../../../scoring/verticals.ts';
import { MAX_MINUTES, MIN_MINUTES } from '../../../../../routing/drive-times.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { ADD_FROM, compareToScores, KEEP_FROM } from '../../../../../territory/compare.ts';
import { discover, MAX_RADIUS_MILES, type Candidate } from '../../../../../territory/discover.ts';
import type { Page } from '../../../../framework/page.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import { loadBrand } from '../load-brand.ts';
import { LABELS, suggestionsPage, type SuggestionsContent } from './view.ts';

const SHOWN = 10;
const DEFAULT_MILES = 15;

export const suggestionsRoute: Page<'account'> = {
  audience: 'account',
  path: '/account/brands/{brand}/suggestions',
  async show(visit) {
    const { db, caller, query, links } = visit;
    const brand = await loadBrand(visit);
    const options = {
      vertical: query.get('vertical') || VERTICALS[0].slug,
      keepFrom: readNumber(query, 'keep', { min: 0, max: 100, default: KEEP_FROM }),
      addFrom: readNumber(query, 'add', { min: 0, max: 100, default: ADD_FROM }),
      miles: readNumber(query, 'miles', { min: 1, max: MAX_RADIUS_MILES, default: DEFAULT_MILES }),
      minutes: query.get('minutes')
        ? readNumber(query, 'minutes', { min: MIN_MINUTES, max: MAX_MINUTES, default: 0 })
        : null,
    };
    if (options.addFrom < options.keepFrom) {
      throw badRequest(
        `“${LABELS.add}” must be at least “${LABELS.keep}”. Otherwise, added ZIP codes would be cut again.`,
      );
    }
    const limits = { ...options, limit: SHOWN };
    const suggested = await figuresOrReason(async () => {
      const comparison = await compareToScores(db, caller, caller.brandScope, brand, limits);
      const around = comparison.now.zips === 0 ? [] : await furtherOut(visit, brand, options);
      const listed = new Set(comparison.add.map(({ zip }) => zip));
      return {
        comparison,
        around: around.filter(({ zip }) => !listed.has(zip)).slice(0, SHOWN),
      };
    });
    const refusal = changeRefusal(caller);
    const hasDrives = visit.driveTimes !== undefined;
    return suggestionsPage({ brand, options, hasDrives, suggested, refusal }, links);
  },
};

/** High-scoring ZIP codes around the territory that aren't adjacent */
async function furtherOut(
  { caller, driveTimes: times }: MemberVisit,
  brand: Brand,
  { vertical, addFrom, miles, minutes }: SuggestionsContent['options'],
): Promise<Candidate[]> {
  const { rows } = await discover(
    caller,
    caller.brandScope,
    {
      ...{ vertical, brand, minScore: addFrom },
      ...(minutes === null
        ? { source: { brand: 'border' }, radiusMiles: miles }
        : { source: { brand: 'areas' }, radiusMiles: null, drive: { minutes, times } }),
    },
    { limit: 4 * SHOWN },
  );
  return rows.filter(({ adjacent }) => !adjacent);
}

/** @throws ServiceError 400 unless it is a whole number in range */
function readNumber(
  query: URLSearchParams,
  name: keyof typeof LABELS,
  { min, max, default: otherwise }: { min: number; max: number; default: number },
): number {
  const text = query.get(name);
  if (!text) return otherwise;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw badRequest(`“${LABELS[name]}” must be a whole number from ${min} to ${max}.`);
}
