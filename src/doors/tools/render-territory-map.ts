import { PICTURE_UNITS } from '../../territories/static/paid-pictures.ts';
import { z } from 'zod';
import { asOf } from '../../base/contract/as-of.ts';
import type { Caller } from '../../people/account/caller.ts';
import type { Database } from '../../base/db/database.ts';
import { boundariesAsOf } from '../../base/db/boundaries-as-of.ts';
import { badRequest, notFound } from '../../errors.ts';
import { resolveMarket } from '../../data/market/market.ts';
import { MAP_DATASETS, type ZipMap } from '../../maps/cartography/zip-map.ts';
import { type ZipColoring } from '../../maps/cartography/zip-coloring.ts';
import {
  defaultZipLabels,
  ZIP_LABEL_CONTENTS,
  type ZipLabelContent,
} from '../../maps/cartography/zip-labels.ts';
import { CLASS_METHODS } from '../../maps/cartography/classes.ts';
import { COMPOSITION_NAMES } from '../../maps/cartography/compositions.ts';
import { PICTURE_LIMITS, sizeProblems } from '../../render/scene.ts';
import { BASEMAPS } from '../../maps/cartography/picture-options.ts';
import { STYLE_NAMES } from '../../data/basemap/styles.ts';
import { momentWords } from '../../people/account/days/as-of.ts';
import { figuresOrReason, isWithheld, recordSeenZips } from '../../people/metering/figures.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { brandedHeading, brandingOf, type Branding } from '../../territories/brands/branding.ts';
import { dataColoring, statusColoring } from '../../territories/brands/coloring.ts';
import type { DataField } from '../../territories/own-data/data-fields.ts';
import { fitPicture, MAX_PIXELS, pixelsOf, type PictureSize } from './support/fit-picture.ts';
import { brand, dataField, metro, remark, round, vertical, zips } from './support/fields.ts';
import { tool } from './tool.ts';
import { asSentence, formatCount, joinFirst, pluralize } from '../../base/text/words.ts';

const side = z.int().min(200).max(PICTURE_LIMITS.sidePx.max);

/** Largest length of lists of ZIP codes that aren't drawn. Counts are complete. */
const MAX_LISTED = 50;

export const renderTerritoryMap = tool({
  name: 'service_render_territory_map',
  title: 'Render a territory map',
  summary: 'Draw a brand, a metro, or a list of ZIP codes as a PNG map',
  description:
    'Give one of brand, metro (with vertical or color), and zips. Colors ZIP codes by score with a ' +
    'vertical, by own data with color, else a brand by status. 800x600 at ratio 1 takes about 200 kB. More than 1.6 million pixels ' +
    '(width x height x ratio²) are reduced to the largest size that fits.',
  units: PICTURE_UNITS,
  write: false,
  input: z.object({
    brand: brand.optional(),
    asOf: asOf.optional(),
    metro: metro.optional(),
    zips: zips.optional(),
    vertical: vertical.optional(),
    color: dataField.optional().meta({ description: 'data:SLUG or rate:SLUG' }),
    classes: z
      .enum(CLASS_METHODS)
      .default('national')
      .meta({
        description:
          'How scores are divided into classes. quantiles and equal use up the subscription’s ZIP codes with figures',
      }),
    style: z.enum(STYLE_NAMES).default('light'),
    basemap: z
      .enum(BASEMAPS)
      .default('streets')
      .meta({ description: 'streets where the service has them, up close; or plain' }),
    width: side.default(800),
    height: side.default(600),
    ratio: z.number().min(1).max(3).default(1).meta({ description: 'Pixels per CSS pixel' }),
    fit: z
      .boolean()
      .default(true)
      .meta({ description: 'false never reduces the size. Many apps refuse large pictures' }),
    title: remark.max(80).optional().meta({ description: 'Empty for none' }),
    labels: z.boolean().default(true),
    zipLabels: z
      .enum(ZIP_LABEL_CONTENTS)
      .optional()
      .meta({ description: 'Shown scores are figures. Default: zip; both for one ZIP code' }),
    legend: z.boolean().default(true),
    composition: z
      .enum(COMPOSITION_NAMES)
      .optional()
      .meta({
        description: 'Arranges title and legend for a medium. Default: by width and height',
      }),
    scaleBar: z
      .boolean()
      .optional()
      .meta({ description: 'Default: only in the composition print' }),
  }),
  output: z.object({
    pixelWidth: z.int(),
    pixelHeight: z.int(),
    ratio: z.number(),
    reducedFrom: z
      .object({ width: z.int(), height: z.int(), ratio: z.number() })
      .nullable()
      .meta({ description: 'The requested size, if it was too large' }),
    bytes: z.int(),
    bbox: z.array(z.number()).length(4).meta({ description: 'Extent: W, S, E, N' }),
    zoom: z.number(),
    panels: z
      .array(
        z.object({
          caption: z.string().nullable(),
          bbox: z.array(z.number()).length(4),
          zoom: z.number(),
          zips: z.int(),
        }),
      )
      .meta({ description: 'One map, or one per area if areas are far apart' }),
    zipsElsewhere: z.array(z.string()).meta({ description: 'In no panel; the first 50' }),
    zipsDrawn: z.int(),
    zipsNumbered: z.int().meta({ description: 'Drawn with a number that a key lists' }),
    zipsUnlabeled: z.int().meta({ description: 'In view, with neither label nor number' }),
    zipsMissing: z.array(z.string()).meta({ description: 'No boundary; the first 50' }),
    zipsMissingCount: z.int(),
    vintage: z.string(),
    legend: z
      .array(z.object({ label: z.string(), color: z.string() }))
      .meta({ description: 'Lowest class first' }),
  }),
  example: { brand: 'lone-star-roofing', style: 'light' },
  async handle(input, { db, renderer, caller, signal }) {
    const { style, basemap, labels, legend, title, classes } = input;
    const { composition, scaleBar } = input;
    const asked = { width: input.width, height: input.height, ratio: input.ratio };
    const size = input.fit ? fitPicture(asked) : asked;
    const { width, height, ratio } = size;
    const problems = sizeProblems({ width, height, pixelRatio: ratio });
    if (problems.length > 0) throw badRequest(asSentence(problems.join('; ')));
    const subject = await subjectOf(db, caller, input);
    // The bounds of these classes are exact scores. National classes have the same bounds everywhere.
    if (subject.coloring.by === 'score' && classes !== 'national') {
      await recordSeenZips(caller, subject.zips);
    }
    const zipLabels = labels ? await labelContent(caller, subject, input.zipLabels) : 'none';
    const look = {
      style,
      basemap,
      width,
      height,
      pixelRatio: ratio,
      labels,
      legend,
      zipLabels,
      classes,
    };
    const furniture = { composition, scaleBar, ...(title !== undefined && { title }) };
    const request = { ...look, ...furniture, ...subject };
    const map = await renderer
      .data(boundariesAsOf(db, caller.tenant.moment), MAP_DATASETS)
      .read((db) => renderer.drawMap(db, request, signal));
    const data = {
      // The size comes from the PNG header, because engines round fractional pixels differently.
      pixelWidth: map.picture.readUInt32BE(16),
      pixelHeight: map.picture.readUInt32BE(20),
      ratio,
      reducedFrom: size === asked ? null : asked,
      bytes: map.picture.length,
      bbox: map.bbox.map((degrees) => round(degrees, 5)),
      zoom: round(map.zoom, 2),
      panels: map.panels.map(({ caption, bbox, zoom, zips }) => ({
        caption,
        bbox: bbox.map((degrees) => round(degrees, 5)),
        zoom: round(zoom, 2),
        zips,
      })),
      zipsElsewhere: map.elsewhere.slice(0, MAX_LISTED),
      zipsDrawn: map.zips,
      zipsNumbered: map.numbered.length,
      zipsUnlabeled: map.unlabeled.length,
      zipsMissing: map.missing.slice(0, MAX_LISTED),
      zipsMissingCount: map.missing.length,
      vintage: map.vintage,
      legend: legendOf(map),
    };
    return { data, text: describe(subject, map, data), image: { bytes: map.picture, type: PNG } };
  },
});

const PNG = 'image/png';

/**
 * Returns the content of labels, and records scores in them as seen figures. Without a choice, a map shows only scores
 * that the subscription includes.
 * @throws ServiceError 402 `zip_limit_exceeded` if the caller chose scores that the subscription doesn't include
 */
async function labelContent(
  caller: Caller,
  { zips, coloring }: Subject,
  chosen: ZipLabelContent | undefined,
): Promise<ZipLabelContent> {
  if (coloring.by !== 'score') return chosen === 'none' ? 'none' : 'zip';
  const content = chosen ?? defaultZipLabels(zips.length);
  if (content === 'zip' || content === 'none') return content;
  const record = () => recordSeenZips(caller, zips).then(() => ({}));
  if (chosen !== undefined) await record();
  else if (isWithheld(await figuresOrReason(record))) return 'zip';
  return content;
}

interface Subject {
  /** Name for people */
  name: string;
  /** Sorted, without duplicates */
  zips: string[];
  coloring: Exclude<ZipColoring, { by: 'category' }>;
  heading: { title: string; subtitle: string | null };
  brand?: Branding;
}

interface SubjectInput {
  brand?: string | undefined;
  metro?: string | undefined;
  zips?: readonly string[] | undefined;
  vertical?: string | undefined;
  color?: DataField | undefined;
}

/**
 * Resolves the ZIP codes, coloring, and title of the map.
 * @throws ServiceError 400 unless exactly one of brand, metro, and zips is given; 404 for an unknown
 *   brand or metro, or a brand that holds no ZIP code; 403 brand_out_of_scope; as `dataColoring`
 */
async function subjectOf(db: Database, caller: Caller, input: SubjectInput): Promise<Subject> {
  const { color, vertical } = input;
  if (color !== undefined && vertical !== undefined) {
    throw badRequest('A map has one color per ZIP code. Give vertical or color, not both.');
  }
  const subject = await plainSubjectOf(db, caller, input);
  if (color === undefined) return subject;
  const { coloring, title, figures } = await dataColoring(caller, color, subject.zips);
  await recordSeenZips(caller, figures);
  return { ...subject, coloring, heading: { title, subtitle: subject.name } };
}

/** Returns the subject without own data. */
async function plainSubjectOf(db: Database, caller: Caller, input: SubjectInput): Promise<Subject> {
  const subjects = [input.brand, input.metro, input.zips].filter((value) => value !== undefined);
  if (subjects.length !== 1) throw badRequest('Give exactly one of brand, metro, and zips.');
  if (input.brand !== undefined) return brandSubject(caller, input.brand, input.vertical);
  if (input.metro !== undefined && input.vertical === undefined && input.color === undefined) {
    throw badRequest(
      'A metro needs a vertical, because its ZIP codes are colored by score. Add one, such as roofing, or add color.',
    );
  }
  const market = input.metro === undefined ? { zips: input.zips! } : { metro: input.metro };
  const { zips, name } = await resolveMarket(db, market);
  return {
    name: name ?? pluralize(zips.length, 'ZIP code'),
    zips,
    ...(input.vertical === undefined
      ? { coloring: { by: 'plain' }, heading: { title: 'ZIP codes', subtitle: null } }
      : byScore(input.vertical, name)),
  };
}

async function brandSubject(
  { tenant, brandScope }: Caller,
  ref: string,
  vertical: string | undefined,
): Promise<Subject> {
  const { id, name } = await findBrand(tenant, brandScope, ref);
  const coloring = await statusColoring(tenant, { id });
  const branding = await brandingOf(tenant, { id });
  const past = await momentWords(tenant);
  const { statuses } = coloring;
  if (statuses.size === 0)
    throw notFound(`${name} holds no ZIP codes yet, so there is nothing to draw. Add some first.`);
  return {
    name,
    zips: [...statuses.keys()],
    ...(vertical === undefined
      ? { coloring, ...brandedHeading(name, branding, past?.words) }
      : { ...byScore(vertical, past ? `${name}, ${past.words}` : name), brand: branding }),
  };
}

function byScore(slug: string, subtitle: string | null): Pick<Subject, 'coloring' | 'heading'> {
  const { label } = verticalBySlug(slug);
  return {
    coloring: { by: 'score', vertical: slug },
    heading: { title: `${label} demand by ZIP code`, subtitle },
  };
}

function legendOf({ legend }: ZipMap) {
  if (!legend) return [];
  return [...legend.classes, legend.noData, legend.outside].filter((entry) => entry !== undefined);
}

interface Drawn {
  pixelWidth: number;
  pixelHeight: number;
  bytes: number;
  ratio: number;
  reducedFrom: PictureSize | null;
}

function describe({ name, coloring }: Subject, map: ZipMap, drawn: Drawn): string {
  const { pixelWidth, pixelHeight, bytes } = drawn;
  const colors = legendOf(map).map(({ label }) => label);
  const by =
    coloring.by === 'amount'
      ? coloring.title
      : { score: 'score', status: 'status', plain: 'none' }[coloring.by];
  return [
    `${name}: ${pluralize(map.zips, 'ZIP code')} drawn on ${pixelWidth} x ${pixelHeight} pixels (${formatCount(bytes / 1000)} kB).`,
    ...describeReduction(drawn),
    ...describePanels(map),
    ...(colors.length > 0 ? [`Colors by ${by}: ${colors.join(', ')}.`] : []),
    ...(map.missing.length > 0 ? [`Not drawn, no boundary: ${joinFirst(map.missing)}.`] : []),
    ...(map.unlabeled.length > 0
      ? [`${pluralize(map.unlabeled.length, 'ZIP code')} in view without a label or number.`]
      : []),
    `Source: ${map.vintage}.`,
  ].join('\n');
}

function describeReduction({ pixelWidth, pixelHeight, ratio, reducedFrom }: Drawn): string[] {
  if (!reducedFrom) return [];
  const { width, height, ratio: wanted } = reducedFrom;
  return [
    `Reduced to ${Math.round(pixelWidth / ratio)} x ${Math.round(pixelHeight / ratio)} at ratio ${ratio}: the requested ${width} x ${height} at ratio ${wanted} has ` +
      `${formatCount(pixelsOf(reducedFrom))} pixels, and a picture in a response can have at most ${formatCount(MAX_PIXELS)}.`,
  ];
}

function describePanels({ panels, elsewhere }: ZipMap): string[] {
  if (panels.length === 1) return [];
  const each = panels.map(({ caption, zips }) => `${caption} (${pluralize(zips, 'ZIP code')})`);
  const rest = elsewhere.length > 0 ? `; ${pluralize(elsewhere.length, 'ZIP code')} elsewhere` : '';
  return [`In ${panels.length} panels, one for each area: ${each.join('; ')}${rest}.`];
}
