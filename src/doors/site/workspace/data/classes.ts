/**
 * The classes of all ZIP codes of the country, for the map outside the market. Classes of public scores
 * aren't figures, so they are free (`people/metering/figures.ts`). Classes of census values by any breaks, and of
 * scores by any weights, reveal figures, so they require a subscription that includes the figures of the country.
 */
import { requireAccess } from '../../../../people/account/access.ts';
import type { Caller } from '../../../../people/account/caller.ts';
import { NATIONAL_CLASSES, scoreClass } from '../../../../maps/cartography/classes.ts';
import { PreparedAnswer } from '../../../../base/contract/prepared.ts';
import type { Database } from '../../../../base/db/database.ts';
import { datasetsStamp, type DatasetName } from '../../../../base/db/datasets.ts';
import { importedData } from '../../../../base/db/imported-data.ts';
import { badRequest, notFound } from '../../../../errors.ts';
import {
  classesOfFigure,
  classesOfScores,
  type ZipClass,
} from '../../../../data/market/zip-columns.ts';
import { recordSeenZips } from '../../../../people/metering/figures.ts';
import { nationalSignals } from '../../../../data/scoring/national-signals.ts';
import { verticalBySlug } from '../../../../data/scoring/verticals.ts';
import { rankBy } from '../../../../territories/brands/targeting/targeting.ts';
import { withOwnData } from '../../../../territories/brands/targeting/own-ranks.ts';
import { readProfile } from '../../../../territories/brands/targeting/profile.ts';
import type { MemberData } from '../../framework/data.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import { NO_CLASS } from '../../browser/zip-classes.ts';
import { scoreOf, verticalOf } from '../browser/measures.ts';
import { CENSUS_FIELDS, isCensusColumn } from './columns.ts';

const TYPE = 'text/plain; charset=utf-8';
const FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };

const CLASSES_PATH = '/account/map/classes/{measure}.txt';
const DATA: readonly DatasetName[] = ['scores', 'demographics'];

/** Returns the address of the current classes of a measure, with a parameter that the page fills in. */
export async function classesAddress({ db, caches, links }: MemberVisit): Promise<string> {
  const version = await caches.versionOf(await datasetsStamp(db, DATA));
  return `${links.page(CLASSES_PATH)}?v=${version}`;
}

export function classesRoute({ db, caches }: SiteParts): MemberData {
  const classes = caches.answers(
    { name: 'national classes', type: TYPE, data: importedData(db, DATA) },
    FOR_A_DAY,
  );
  return {
    audience: 'member',
    path: CLASSES_PATH,
    type: TYPE,
    prepared: true,
    async answer({ db, caller, params, query }) {
      const measure = params.measure!;
      const version = query.get('v') ?? undefined;
      const vertical = verticalOf(measure);
      if (vertical !== null) {
        const { slug } = verticalBySlug(vertical);
        if (measure === scoreOf(slug)) {
          return classes(
            slug,
            async (at) => textOf(await classesOfScores(at, slug, NATIONAL_CLASSES.breaks)),
            version,
          );
        }
        return { body: new PreparedAnswer(await ownClasses(db, caller, slug), TYPE) };
      }
      if (!isCensusColumn(measure)) throw notFound(`There is no measure "${measure}".`);
      const breaks = readBreaks(query.get('breaks') ?? '');
      await recordSeenZips(caller, (await nationalSignals(db)).zips);
      const key = `${measure} ${breaks.join(' ')}`;
      const figure = CENSUS_FIELDS[measure];
      return classes(key, async (at) => textOf(await classesOfFigure(at, figure, breaks)), version);
    },
  };
}

/** @throws ServiceError 402 without access; as `recordSeenZips` */
async function ownClasses(db: Database, caller: Caller, vertical: string): Promise<string> {
  requireAccess(caller);
  const [profile, signals] = await Promise.all([
    readProfile(caller.tenant, vertical),
    nationalSignals(db),
  ]);
  await recordSeenZips(caller, signals.zips);
  const { ranks } = await withOwnData(caller, signals, profile);
  const { score } = rankBy(profile.weights, { ...signals, ranks }, []);
  const { breaks } = NATIONAL_CLASSES;
  return textOf(
    signals.zips.flatMap((zip, row) =>
      score[row]! >= 0 ? [[zip, String(scoreClass(score[row]!, breaks))] as ZipClass] : [],
    ),
  );
}

/** One character for each of the 100,000 codes. A text in this order compresses well. */
function textOf(classes: readonly ZipClass[]): string {
  const text = Array.from({ length: 100_000 }, () => NO_CLASS);
  for (const [zip, digit] of classes) text[Number(zip)] = digit;
  return text.join('');
}

/** One less than the number of colors */
const MAX_BREAKS = 4;

/** @throws ServiceError 400 unless they are a few ascending numbers */
function readBreaks(text: string): number[] {
  const breaks = text === '' ? [] : text.split(',').map(Number);
  const isAscending = breaks.every((one, i) => Number.isFinite(one) && !(one <= breaks[i - 1]!));
  if (isAscending && breaks.length <= MAX_BREAKS) return breaks;
  throw badRequest(`breaks: give up to ${MAX_BREAKS} ascending numbers, separated by commas.`);
}
