/** ZIP codes to add, cut, and keep, by a vertical's scores. */
import { changeRefusal } from '../../../../../account/access.ts';
import type { Operation } from '../../../../../contract/operation.ts';
import { badRequest } from '../../../../../errors.ts';
import { VERTICALS } from '../../../../../scoring/verticals.ts';
import { ADD_FROM, compareToScores, KEEP_FROM } from '../../../../../territory/compare.ts';
import { discover, MAX_RADIUS_MILES } from '../../../../../territory/discover.ts';
import { page } from '../../../../framework/page.ts';
import type { SiteParts } from '../../../../framework/visit.ts';
import { loadFrame } from '../../../load-frame.ts';
import { loadBrand } from '../load-brand.ts';
import { LABELS, suggestionsPage } from './view.ts';

const SHOWN = 10;
const DEFAULT_MILES = 15;

export function suggestionsRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const suggestions = page(
    {
      audience: 'member',
      path: '/account/brands/{brand}/suggestions',
      async show(visit) {
        const { caller, query, links } = visit;
        const { tenant, brandScope } = caller;
        const brand = await loadBrand(visit);
        const options = {
          vertical: query.get('vertical') || VERTICALS[0].slug,
          keepFrom: readNumber(query, 'keep', { min: 0, max: 100, default: KEEP_FROM }),
          addFrom: readNumber(query, 'add', { min: 0, max: 100, default: ADD_FROM }),
          miles: readNumber(query, 'miles', {
            min: 1,
            max: MAX_RADIUS_MILES,
            default: DEFAULT_MILES,
          }),
        };
        if (options.addFrom < options.keepFrom) {
          throw badRequest(
            `“${LABELS.add}” must be at least “${LABELS.keep}”. Otherwise, added ZIP codes would be cut again.`,
          );
        }
        const { vertical, addFrom: minScore, miles: radiusMiles } = options;
        const comparison = await compareToScores(db, tenant, brandScope, brand, {
          ...options,
          limit: SHOWN,
        });
        const shown = new Set(comparison.add.map(({ zip }) => zip));
        const [frame, around] = await Promise.all([
          loadFrame(db, visit),
          comparison.now.zips === 0
            ? []
            : discover(
                tenant,
                brandScope,
                { vertical, brand, source: { brand: 'border' }, radiusMiles, minScore },
                { limit: 4 * SHOWN },
              ).then(({ rows }) =>
                rows.filter(({ zip, adjacent }) => !adjacent && !shown.has(zip)),
              ),
        ]);
        return suggestionsPage(
          {
            ...frame,
            brand,
            options,
            comparison,
            around: around.slice(0, SHOWN),
            refusal: changeRefusal(caller),
          },
          links,
        );
      },
    },
    parts,
  );
  return [suggestions];
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
