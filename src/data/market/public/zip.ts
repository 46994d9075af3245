/** The public view of a ZIP code, limited to launched metros. */
import type {
  Complete,
  PublicZipProfile,
  PublicZipVerticalScore,
  ZipDemographics,
} from '../../../base/contract/resources.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { notFound } from '../../../errors.ts';
import { censusFigures } from '../../ingest/demographics.ts';
import { readDemographics, type StoredDemographics } from '../../ingest/demographics-store.ts';
import { verticalBySlug, VERTICALS } from '../../scoring/verticals.ts';
import { launchedMetros } from '../metros.ts';
import { explainMissing, isAbsent, missingBoundaries } from '../missing-boundaries.ts';
import { scoresSource } from './source.ts';

/** @throws ServiceError 404 for a ZIP code outside launched metros; 503 before scores are imported */
export async function publicZipProfile(
  db: Queryable,
  zipCode: string,
): Promise<Complete<typeof PublicZipProfile>> {
  const { place, demographics, source } = await publicZip(db, zipCode);
  const { hasBoundary, metroSlug, metroLabel, scores } = place;
  return {
    zipCode,
    hasBoundary,
    demographics,
    scores: VERTICALS.flatMap(({ key, slug, label }) => {
      const score = scores[slug];
      if (score === undefined) return [];
      return { verticalKey: key, verticalSlug: slug, verticalLabel: label, score };
    }),
    metroSlug,
    metroLabel,
    ...source,
  };
}

/**
 * @throws ServiceError 404 for a vertical that isn't launched or a ZIP code outside launched metros;
 *   503 before scores are imported
 */
export async function publicZipVerticalScore(
  db: Queryable,
  zipCode: string,
  verticalSlug: string,
): Promise<Complete<typeof PublicZipVerticalScore>> {
  const { slug } = verticalBySlug(verticalSlug);
  const { place, demographics, source } = await publicZip(db, zipCode);
  const { hasBoundary, metroSlug, metroLabel, metroFullName, scores } = place;
  return {
    zipCode,
    hasBoundary,
    verticalSlug: slug,
    score: scores[slug] ?? null,
    demographics,
    metroSlug,
    metroLabel,
    metroFullName,
    ...source,
  };
}

async function publicZip(db: Queryable, zipCode: string) {
  const [source, place, [census]] = await Promise.all([
    scoresSource(db),
    launchedZip(db, zipCode),
    readDemographics(db, [zipCode]),
  ]);
  if (!place) {
    const [missing] = await missingBoundaries(db, [zipCode]);
    if (missing && isAbsent(missing)) throw notFound(explainMissing(missing));
    const metros = launchedMetros().map(({ slug }) => slug);
    throw notFound(
      `There is no public data for ZIP code ${zipCode}, because it's outside the launched metros. ` +
        `Use a ZIP code in one of: ${metros.join(', ')}.`,
    );
  }
  return { source, place, demographics: demographicsOf(zipCode, place, census) };
}

interface LaunchedZip {
  hasBoundary: boolean;
  city: string | null;
  state: string | null;
  metroSlug: string;
  metroLabel: string;
  metroFullName: string;
  /** Scores by slug of the vertical; null scores are missing */
  scores: Record<string, number>;
}

async function launchedZip(db: Queryable, zipCode: string): Promise<LaunchedZip | undefined> {
  // All joins use primary keys.
  const [row] = await db.query<LaunchedZip>(
    `select z.bbox is not null as "hasBoundary", z.city, z.state, m.slug as "metroSlug", m.label as "metroLabel",
       m.full_name as "metroFullName",
       (select coalesce(json_object_agg(vertical, score), '{}')
        from zip_scores s where s.zip = z.zip and score is not null) as scores
     from zips z
     join metro_counties using (county_fips)
     join metros m on m.slug = metro_slug
     where z.zip = $1`,
    [zipCode],
  );
  return row;
}

/** Omits the reliability flags and age bands that only scoring needs. */
function demographicsOf(
  zipCode: string,
  { city, state }: LaunchedZip,
  census: StoredDemographics | undefined,
): Complete<typeof ZipDemographics> {
  return {
    zipCode,
    city,
    state,
    ...censusFigures(census),
    sourceVintage: census?.sourceVintage ?? null,
  };
}
