/**
 * The launched metros. Each is the set of counties of a CBSA. A ZIP code belongs to the metro whose
 * counties contain its centroid.
 */
import { readFileSync } from 'node:fs';
import { notFound } from '../../errors.ts';
import { projectFile } from '../../base/geodata/project-files.ts';

export interface Metro {
  /** `dallas-tx` */
  slug: string;
  /** `Dallas, TX` */
  label: string;
  /** Title of the CBSA: `Dallas-Fort Worth-Arlington, TX` */
  fullName: string;
  /** Code of the Core Based Statistical Area (OMB) */
  cbsa: string;
  counties: { fips: string; name: string }[];
}

/** Reads `geodata/metros.json`, which names its source. */
export function launchedMetros(): Metro[] {
  const file = readFileSync(projectFile('geodata/metros.json'), 'utf8');
  return (JSON.parse(file) as { metros: Metro[] }).metros;
}

/** Finds a metro by slug, label, full name, or city: `dallas-tx`, `Dallas, TX`, `Dallas`. */
export function findMetro(text: string): Metro | undefined {
  const wanted = text.trim().toLowerCase();
  return launchedMetros().find(({ slug, label, fullName }) =>
    [slug, label, fullName, label.split(',')[0]!].some((name) => name.toLowerCase() === wanted),
  );
}

/** @throws ServiceError 404 that lists the launched metros */
export function metroBySlug(slug: string): Metro {
  const metros = launchedMetros();
  const metro = metros.find((m) => m.slug === slug);
  if (metro) return metro;
  throw notFound(
    `There is no launched metro "${slug}". Use one of: ${metros.map((m) => m.slug).join(', ')}.`,
  );
}
