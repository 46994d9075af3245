import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Queryable } from '../../../src/base/db/database.ts';
import { launchedMetros } from '../../../src/data/market/metros.ts';
import {
  DATA_STUDY_COLUMNS,
  dataStudyCsv,
  publicDataStudy,
} from '../../../src/data/market/public/data-study.ts';
import { metroPicture } from '../../../src/territories/static/draw.ts';
import { publicMetroVertical } from '../../../src/data/market/public/metro-vertical.ts';
import { publicPlace } from '../../../src/data/market/public/place.ts';
import { publicBestZips } from '../../../src/data/market/public/ranking.ts';
import { publicVerticalSummary } from '../../../src/data/market/public/vertical.ts';
import { publicZipProfile, publicZipVerticalScore } from '../../../src/data/market/public/zip.ts';
import { render } from '../../../src/render/render.ts';
import { SIGNALS } from '../../../src/data/scoring/signals.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { testDatabase } from '../../support/database.ts';
import { casesOf } from '../../support/thorough.ts';

const { db } = await testDatabase('sample');
const { db: empty } = await testDatabase('empty');

const SAMPLE = 'Sample data (synthetic; not ACS)';
const LOOK = { style: 'light', width: 400, height: 400, pixelRatio: 1 } as const;

async function scoresOf(zip: string): Promise<Record<string, number | null>> {
  const rows = await db.query<{ vertical: string; score: number | null }>(
    'select vertical, score from zip_scores where zip = $1',
    [zip],
  );
  return Object.fromEntries(rows.map(({ vertical, score }) => [vertical, score]));
}

/** Returns the ZIP codes of a metro with a score, best first, from a simple query. */
async function rankingOf(metro: string, vertical: string) {
  const rows = await db.query<{ zip: string; score: number; percentile: number }>(
    `select s.zip, score, percentile from zip_scores s, zips z, metro_counties m
     where z.zip = s.zip and m.county_fips = z.county_fips and metro_slug = $1 and vertical = $2
       and score is not null`,
    [metro, vertical],
  );
  return rows.sort((a, b) => b.percentile - a.percentile || (a.zip < b.zip ? -1 : 1));
}

describe('a public ZIP code profile', () => {
  it('has demographics, scores of every vertical, the metro, and the source', async () => {
    const profile = await publicZipProfile(db, '75201');
    const [census] = await db.query<{ population_total: number; median_age: number }>(
      `select population_total, median_age from zip_demographics where zip = '75201'`,
    );
    expect(profile).toMatchObject({
      zipCode: '75201',
      metroSlug: 'dallas-tx',
      metroLabel: 'Dallas, TX',
      vintage: SAMPLE,
      demographics: {
        zipCode: '75201',
        city: 'Dallas',
        state: 'TX',
        populationTotal: census!.population_total,
        medianAge: census!.median_age,
        sourceVintage: SAMPLE,
      },
    });
    expect(new Date(profile.updatedAt).toISOString()).toBe(profile.updatedAt);
    const scores = await scoresOf('75201');
    expect(profile.scores).toEqual(
      VERTICALS.map(({ key, slug, label }) => ({
        verticalKey: key,
        verticalSlug: slug,
        verticalLabel: label,
        score: scores[slug],
      })),
    );
  });

  it('omits a missing score, which is null in the response for that vertical', async () => {
    await db.query(`update zip_scores set score = null, percentile = null
                    where zip = '75204' and vertical = 'hvac'`);
    const { scores } = await publicZipProfile(db, '75204');
    expect(scores).toHaveLength(VERTICALS.length - 1);
    expect(scores.map((s) => s.verticalSlug)).not.toContain('hvac');
    expect((await publicZipVerticalScore(db, '75204', 'hvac')).score).toBeNull();
    expect((await publicZipVerticalScore(db, '75204', 'moving')).score).toBe(
      (await scoresOf('75204'))['moving'],
    );
  });

  it('has null instead of zero for every missing census figure', async () => {
    await db.query(`delete from zip_demographics where zip = '75205'`);
    await db.query(`delete from zip_scores where zip = '75205'`);
    const { demographics, scores } = await publicZipProfile(db, '75205');
    const { zipCode, city, state, ...figures } = demographics;
    expect({ zipCode, state }).toEqual({ zipCode: '75205', state: 'TX' });
    expect(city).not.toBeNull();
    expect(Object.values(figures).every((figure) => figure === null)).toBe(true);
    expect(Object.keys(figures)).toHaveLength(13);
    expect(scores).toEqual([]);
  });

  it('exists for exactly the ZIP codes of launched metros', async () => {
    const zips = await db.query<{ zip: string; metro: string | null }>(
      `select zip, metro_slug as metro from zips left join metro_counties using (county_fips)
       where hashtext(zip) % 40 = 0`,
    );
    const launched = zips.filter(({ metro }) => metro !== null);
    const others = zips.filter(({ metro }) => metro === null);
    expect(launched.length).toBeGreaterThan(20);
    expect(others.length).toBeGreaterThan(200);
    for (const { zip, metro } of casesOf(launched)) {
      expect((await publicZipProfile(db, zip)).metroSlug).toBe(metro);
    }
    for (const { zip } of casesOf(others)) {
      const missing = { status: 404, code: 'not_found' };
      await expect(publicZipProfile(db, zip)).rejects.toMatchObject(missing);
    }
  });

  it('names the launched metros in the error for any other ZIP code', async () => {
    const why =
      /ZIP code 82001, because it's outside the launched metros\. Use a ZIP code in one of: dallas-tx, houston/;
    await expect(publicZipProfile(db, '82001')).rejects.toThrow(why);
    await expect(publicZipVerticalScore(db, '82001', 'hvac')).rejects.toThrow(why);
  });
});

describe('a public ranking', () => {
  it('has the best ten and breaks ties by unrounded score, then by ZIP code', async () => {
    // Three ZIP codes share a score, and two of them also the unrounded score.
    const [first, second, third] = await rankingOf('tampa-fl', 'gutters');
    await db.query(
      `update zip_scores set score = 100, percentile = case zip when $1 then 0.997 else 0.996 end
       where zip = any($2) and vertical = 'gutters'`,
      [third!.zip, [first!.zip, second!.zip, third!.zip]],
    );
    const { zips, sampled } = await publicBestZips(db, 'tampa-fl', 'gutters');
    const expected = await rankingOf('tampa-fl', 'gutters');
    expect(zips.map(({ zipCode, score }) => [zipCode, score])).toEqual(
      expected.slice(0, 10).map(({ zip, score }) => [zip, score]),
    );
    expect(zips.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(sampled).toBe(true);
  });

  it('is marked as sampled only if it omits ZIP codes, and never includes one without a score', async () => {
    const all = await rankingOf('raleigh-nc', 'moving');
    const keep = async (count: number) => {
      await db.query(
        `update zip_scores set score = null, percentile = null
         where vertical = 'moving' and zip = any($1)`,
        [all.slice(count).map(({ zip }) => zip)],
      );
      const { zips, sampled } = await publicBestZips(db, 'raleigh-nc', 'moving');
      return [zips.length, sampled];
    };
    expect(await keep(11)).toEqual([10, true]);
    expect(await keep(10)).toEqual([10, false]);
    expect(await keep(0)).toEqual([0, false]);
    expect(await publicMetroVertical(db, 'raleigh-nc', 'moving')).toMatchObject({
      zipCount: 49,
      scoredZipCount: 0,
      averageScore: null,
      topZips: [],
      sampled: false,
    });
  });

  it('covers all launched metros if only the vertical is given', async () => {
    const { topZips } = await publicVerticalSummary(db, 'landscaping');
    const all = await Promise.all(
      launchedMetros().map(({ slug }) => rankingOf(slug, 'landscaping')),
    );
    const best = all.flat().sort((a, b) => b.percentile - a.percentile || (a.zip < b.zip ? -1 : 1));
    expect(topZips.map(({ zipCode }) => zipCode)).toEqual(best.slice(0, 10).map(({ zip }) => zip));
  });
});

describe('the figures of a city or county', () => {
  it('count its ZIP codes in launched metros, and outline them', async () => {
    for (const [kind, label, condition] of [
      ['city', 'Plano, TX', "city = 'Plano' and state = 'TX'"],
      ['county', 'Collin County, TX', "county_fips = '48085'"],
    ] as const) {
      const place = await publicPlace(db, kind, label, 'roofing');
      const [expected] = await db.query<{ zips: number; average: number; area: number }>(
        `select count(*) as zips, round(avg(score), 1) as average, sum(st_area(geom)) as area
         from zips join zip_boundaries using (zip)
         left join zip_scores s on s.zip = zips.zip and vertical = 'roofing'
         where ${condition} and lod = $1`,
        [kind === 'city' ? 0 : 1],
      );
      expect(place.zipCount).toBe(expected!.zips);
      expect(place.averageScore).toBeCloseTo(expected!.average, 1);
      const { topZips, scoredZipCount } = place;
      expect(topZips.length).toBe(Math.min(10, scoredZipCount));
      expect(topZips.map(({ score }) => score)).toEqual(
        topZips.map(({ score }) => score).sort((a, b) => b - a),
      );
      const [outline] = await db.query<{ area: number }>(
        'select st_area(st_geomfromgeojson($1)) as area',
        [JSON.stringify(place.outline)],
      );
      expect(outline!.area / expected!.area).toBeCloseTo(1, 2);
    }
  });

  it('refuse a place outside the launched metros, and a name without a state', async () => {
    for (const label of ['Boise, ID', 'Plano', 'Collin County, TX']) {
      await expect(publicPlace(db, 'city', label, 'roofing')).rejects.toMatchObject({
        status: 404,
      });
    }
  });
});

describe('the figures of a metro and vertical', () => {
  it('count exactly the ZIP codes with a score, in ten bins with 100 in the last', async () => {
    const scores = (await rankingOf('las-vegas-nv', 'roofing')).map(({ score }) => score);
    const summary = await publicMetroVertical(db, 'las-vegas-nv', 'roofing');
    expect(summary.scoreDistribution).toEqual(
      Array.from({ length: 10 }, (_, bin) => {
        const [from, to] = [10 * bin, bin === 9 ? 100 : 10 * bin + 9];
        return { from, to, count: scores.filter((s) => s >= from && s <= to).length };
      }),
    );
    const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
    expect(summary.averageScore).toBeCloseTo(mean, 1);
    expect(Math.round(10 * summary.averageScore!)).toBeCloseTo(10 * summary.averageScore!, 9);
  });

  it('are the same in all responses', async () => {
    const study = await publicDataStudy(db);
    for (const { slug: vertical } of casesOf(VERTICALS)) {
      const summary = await publicVerticalSummary(db, vertical);
      for (const metro of study.metros) {
        const cell = metro.verticals.find((v) => v.verticalSlug === vertical)!;
        const { zipCount, scoredZipCount, averageScore } = cell;
        const figures = { zipCount, scoredZipCount, averageScore };
        const listed = summary.metros.find((m) => m.metroSlug === metro.metroSlug);
        expect(listed).toMatchObject(figures);
        const own = await publicMetroVertical(db, metro.metroSlug, vertical);
        expect(own).toMatchObject(figures);
        const binned = own.scoreDistribution.reduce((sum, { count }) => sum + count, 0);
        expect(binned).toBe(scoredZipCount);
        const high = own.scoreDistribution.slice(8).reduce((sum, { count }) => sum + count, 0);
        expect(high).toBe(cell.highDemandZipCount);
      }
      const total = study.verticals.find((v) => v.verticalSlug === vertical)!;
      const cells = study.metros.map((m) => m.verticals.find((v) => v.verticalSlug === vertical)!);
      for (const figure of ['zipCount', 'scoredZipCount', 'highDemandZipCount'] as const) {
        expect(total[figure]).toBe(cells.reduce((sum, cell) => sum + cell[figure], 0));
      }
    }
  });
});

describe('the data study', () => {
  it('has every launched metro with its population and every vertical', async () => {
    const { metros, verticals, vintage } = await publicDataStudy(db);
    expect(vintage).toBe(SAMPLE);
    expect(metros.map((m) => m.metroSlug)).toEqual(launchedMetros().map(({ slug }) => slug));
    expect(verticals.map((v) => v.verticalSlug)).toEqual(VERTICALS.map(({ slug }) => slug));
    for (const metro of metros) {
      expect(metro.populationTotal).toBeGreaterThan(metro.householdsTotal!);
      expect(metro.verticals).toHaveLength(VERTICALS.length);
    }
  });

  it('has the same figures as CSV, one line per metro and vertical', async () => {
    const study = await publicDataStudy(db);
    const csv = dataStudyCsv(study);
    const rows = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<
      keyof typeof DATA_STUDY_COLUMNS,
      string
    >[];
    expect(csv.split('\r\n')[0]).toBe(Object.keys(DATA_STUDY_COLUMNS).join());
    expect(rows).toHaveLength(launchedMetros().length * VERTICALS.length);
    for (const row of rows) {
      const metro = study.metros.find((m) => m.metroSlug === row.metroSlug)!;
      const cell = metro.verticals.find((v) => v.verticalSlug === row.verticalSlug)!;
      const text = (figure: number | null) => (figure === null ? '' : String(figure));
      expect(row).toEqual({
        metroSlug: metro.metroSlug,
        metroLabel: metro.metroLabel,
        verticalSlug: row.verticalSlug,
        verticalLabel: VERTICALS.find(({ slug }) => slug === row.verticalSlug)!.label,
        zipCount: text(cell.zipCount),
        scoredZipCount: text(cell.scoredZipCount),
        averageScore: text(cell.averageScore),
        medianScore: text(cell.medianScore),
        highDemandZipCount: text(cell.highDemandZipCount),
        vintage: SAMPLE,
        updatedAt: study.updatedAt,
      });
    }
  });
});

describe('the methodology', () => {
  it.each(VERTICALS)('explains how $slug is scored', async (vertical) => {
    const { signals, methodology } = await publicVerticalSummary(db, vertical.slug);
    expect(
      new Set(
        signals.map(({ signal, direction, weight, reason }) =>
          JSON.stringify({ signal, direction, weight, reason }),
        ),
      ),
    ).toEqual(new Set(vertical.inputs.map((input) => JSON.stringify(input))));
    const weights = signals.map(({ weight }) => weight);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    const volume = vertical.inputs
      .filter(({ signal }) => SIGNALS[signal].kind === 'volume')
      .reduce((sum, { weight }) => sum + weight, 0);
    expect(methodology).toContain(`could buy) make up ${Math.round(100 * volume)}%`);
    expect(methodology).toContain(
      `likely they are to buy) make up ${Math.round(100 - 100 * volume)}%`,
    );
    expect(methodology).toContain('less than 50% of its signals by weight');
  });
});

const CALLS: [string, (on: Queryable, metro: string, vertical: string) => Promise<unknown>][] = [
  ['metro and vertical', publicMetroVertical],
  ['best ZIP codes', publicBestZips],
  [
    'map image',
    async (on, metro, vertical) =>
      metroPicture(metro, vertical).draw(on, mapsWith({ render }), LOOK),
  ],
];

describe('a metro or vertical that is not launched', () => {
  it.each(CALLS)('returns 404 and names the launched ones: %s', async (_name, call) => {
    await expect(call(db, 'boise-id', 'roofing')).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/no launched metro "boise-id"\. Use one of: dallas-tx, hou/),
    });
    await expect(call(db, 'dallas-tx', 'roof')).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/no launched vertical "roof"\. Use one of: roofing, hvac/),
    });
  });

  it('returns 404 without a metro, too', async () => {
    const missing = { status: 404, code: 'not_found' };
    await expect(publicVerticalSummary(db, 'constructor')).rejects.toMatchObject(missing);
    await expect(publicZipVerticalScore(db, '75201', 'constructor')).rejects.toMatchObject(missing);
  });
});

it('returns 503 before the first import instead of empty data', async () => {
  const calls = [
    () => publicZipProfile(empty, '75201'),
    () => publicZipVerticalScore(empty, '75201', 'hvac'),
    () => publicVerticalSummary(empty, 'hvac'),
    () => publicDataStudy(empty),
    ...CALLS.map(
      ([, call]) =>
        () =>
          call(empty, 'dallas-tx', 'hvac'),
    ),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({
      status: 503,
      message:
        'The ZIP codes and their scores have not been imported yet. Try again after the operator has imported them.',
    });
  }
});
