/** Draws the picture that a URL describes. */
import type { Signer } from '../../people/account/callers.ts';
import { lookKey } from '../../maps/cartography/brand-look.ts';
import { drawScoreMap } from '../../maps/cartography/score-map.ts';
import { drawStatusMap } from '../../maps/cartography/status-map.ts';
import type { PictureOptions } from '../../maps/cartography/picture-options.ts';
import type { ZipMap } from '../../maps/cartography/zip-map.ts';
import { BASEMAP_LAYERS } from '../../data/basemap/features.ts';
import { callerAsOf, momentWords } from '../../people/account/days/as-of.ts';
import { boundariesAsOf } from '../../base/db/boundaries-as-of.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import { badRequest, notFound } from '../../errors.ts';
import { recordSeenZips } from '../../people/metering/figures.ts';
import { resolveMarket, type Market } from '../../data/market/market.ts';
import { metroBySlug } from '../../data/market/metros.ts';
import { PUBLIC_DATASETS, scoresSource } from '../../data/market/public/source.ts';
import type { MapRenderer } from '../../maps/cartography/map-renderer.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { findShare } from '../share/links.ts';
import { NO_SUCH_SHARE, openShare, zipsOfShare } from '../share/open-share.ts';
import { drawShare, shareHeading } from '../share/picture.ts';
import { findBrand } from '../brands/brands.ts';
import { brandedHeading, brandingOf } from '../brands/branding.ts';
import { dataColoring, statusColoring } from '../brands/coloring.ts';
import { heldZipStatuses } from '../brands/brand-zips.ts';
import type { DataField } from '../own-data/data-fields.ts';
import { pinsOf, PUBLIC_KINDS } from '../places/pins.ts';
import type { PlaceKind } from '../../data/basemap/place-symbols.ts';
import { refuseLarge, type StaticPicture } from './options.ts';
import { isPublic, type Subject } from './subject.ts';
import { cameraOfView } from './view.ts';

type PrivateSubject = Exclude<Subject, { kind: 'metro' }>;

/** The rights of the caller who requests a private picture */
type Viewer = Omit<Signer, 'actor'>;

/** A subject whose territory, if any, has been loaded. */
export interface Drawable {
  /** The ZIP codes in the picture */
  zips(db: Queryable): Promise<readonly string[]>;
  /** Content of the picture that depends neither on imported data nor on the look */
  content: unknown;
  /** ZIP codes whose figures the picture shows with any classes; default: none */
  figures?: readonly string[];
  /** The brand whose territory it is */
  brandId?: string;
  /** @returns the picture in the format of the look */
  draw(db: Queryable, renderer: MapRenderer, look: PictureOptions): Promise<ZipMap>;
}

/**
 * @throws ServiceError 404 for an unknown metro, vertical, brand, or share link, or a brand that holds
 *   nothing; 403 `brand_out_of_scope`; as `callerAsOf` and `dataColoring`
 */
export async function drawableOf(
  db: Database,
  { subject, color, places, asOf }: Described,
  viewer: Viewer,
): Promise<Drawable> {
  const then = await callerAsOf(viewer, asOf);
  const drawable = await territoryDrawable(db, subject, color, then);
  const placed = places === undefined ? drawable : await withPlaces(drawable, places, then);
  const { moment } = then.tenant;
  return moment === null ? placed : withBoundariesOf(db, placed, moment);
}

type Described = Pick<StaticPicture, 'color' | 'places' | 'asOf'> & { subject: PrivateSubject };

/** Imported data that pictures show */
export const PICTURE_DATASETS = [...PUBLIC_DATASETS, ...BASEMAP_LAYERS] as const;

const withBoundariesOf = (db: Database, drawable: Drawable, moment: Date): Drawable => ({
  ...drawable,
  content: [drawable.content, moment],
  draw: (_, renderer, look) =>
    renderer
      .data(boundariesAsOf(db, moment), PICTURE_DATASETS)
      .read((data) => drawable.draw(data, renderer, look)),
});

/** Adds the day that a picture shows to a text. */
async function onDay(name: string | null, { tenant }: Viewer): Promise<string | null> {
  const past = await momentWords(tenant);
  return past ? [name, `As of ${past.words}`].filter(Boolean).join(' · ') : name;
}

async function territoryDrawable(
  db: Database,
  subject: PrivateSubject,
  color: DataField | undefined,
  viewer: Viewer,
): Promise<Drawable> {
  if (color !== undefined) return dataPicture(db, subject, color, viewer);
  switch (subject.kind) {
    case 'zips':
      return marketPicture(subject, { zips: subject.zips });
    case 'state':
      return marketPicture(subject, { state: subject.state });
    case 'brand':
      return brandPicture(viewer, subject.brand, subject.vertical);
    case 'share':
      return sharePicture(db, viewer, subject.token);
  }
}

async function withPlaces(
  drawable: Drawable,
  kinds: readonly PlaceKind[],
  { tenant }: Viewer,
): Promise<Drawable> {
  const pins = await pinsOf(tenant, kinds, drawable.brandId);
  return {
    ...drawable,
    content: [drawable.content, pins],
    draw: (db, renderer, look) => drawable.draw(db, renderer, { ...look, pins }),
  };
}

/** @throws ServiceError 400 for competitors on a picture that anyone may see, such as one with a signed URL */
export function refuseCompetitors({ places }: Pick<StaticPicture, 'places'>): void {
  if (places?.some((kind) => !PUBLIC_KINDS.includes(kind))) {
    throw badRequest('places: a signed URL never shows competitors. Use own, or other kinds.');
  }
}

/** A launched metro, colored by the score classes of a vertical or in one color. */
export function metroPicture(metro: string, vertical: string | null): Drawable {
  const { slug } = metroBySlug(metro);
  return marketPicture({ kind: 'metro', metro, vertical }, { metro: slug });
}

function marketPicture(
  subject: Exclude<Subject, { kind: 'brand' | 'share' }>,
  market: Market,
): Drawable {
  const vertical = subject.vertical === null ? null : verticalBySlug(subject.vertical).slug;
  return {
    zips: async (db) => (await resolveMarket(db, market)).zips,
    content: subject,
    async draw(db, renderer, look) {
      await scoresSource(db);
      const request = { ...look, market };
      return vertical === null
        ? drawStatusMap(db, renderer, request)
        : drawScoreMap(db, renderer, { ...request, vertical });
    },
  };
}

async function brandPicture(viewer: Viewer, ref: string, slug: string | null): Promise<Drawable> {
  const { tenant, brandScope } = viewer;
  const vertical = slug === null ? null : verticalBySlug(slug);
  const { id, name } = await findBrand(tenant, brandScope, ref);
  const coloring = await statusColoring(tenant, { id });
  const { statuses } = coloring;
  const branding = await brandingOf(tenant, { id });
  const past = await momentWords(tenant);
  const subtitle = await onDay(name, viewer);
  if (statuses.size === 0) throw nothingHeld(name);
  return {
    brandId: id,
    zips: async () => [...statuses.keys()],
    content: [
      'brand',
      id,
      name,
      vertical?.slug,
      ...statuses,
      ...coloring.planned!,
      ...[coloring.shared, coloring.isolated].map((zips) => [...zips!]),
      [branding.title, branding.subtitle, lookKey(branding)],
    ],
    draw: (db, renderer, look) =>
      renderer.drawMap(db, {
        ...look,
        zips: [...statuses.keys()],
        ...(vertical === null
          ? { coloring, ...brandedHeading(name, branding, past?.words) }
          : {
              coloring: { by: 'score', vertical: vertical.slug },
              heading: { title: `${vertical.label} demand by ZIP code`, subtitle },
              brand: branding,
            }),
      }),
  };
}

/** Colored by own data: whoever sees the picture, such as the readers of a page with its signed URL, sees the data. */
async function dataPicture(
  db: Database,
  subject: PrivateSubject,
  color: DataField,
  viewer: Viewer,
): Promise<Drawable> {
  const { zips, name, brand, brandId } = await zipsOfSubject(db, subject, viewer);
  const { coloring, title, figures } = await dataColoring(viewer, color, zips);
  const subtitle = await onDay(name ?? null, viewer);
  return {
    ...(brandId !== undefined && { brandId }),
    zips: async () => zips,
    figures,
    content: [
      'data',
      zips,
      coloring.labels,
      [...coloring.classOf],
      title,
      name,
      brand && lookKey(brand),
    ],
    draw: (db, renderer, look) =>
      renderer.drawMap(db, { ...look, zips, coloring, brand, heading: { title, subtitle } }),
  };
}

async function zipsOfSubject(db: Database, subject: PrivateSubject, viewer: Viewer) {
  if (subject.kind === 'share') {
    throw badRequest(
      'color: share links never show own data. Use the subject brand, zips, or state.',
    );
  }
  if (subject.kind !== 'brand') {
    const market = subject.kind === 'zips' ? { zips: subject.zips } : { state: subject.state };
    return { ...(await resolveMarket(db, market)), brand: undefined, brandId: undefined };
  }
  const { id, name } = await findBrand(viewer.tenant, viewer.brandScope, subject.brand);
  const zips = [...(await heldZipStatuses(viewer.tenant, { id })).keys()];
  if (zips.length === 0) throw nothingHeld(name);
  return { zips, name, brand: await brandingOf(viewer.tenant, { id }), brandId: id };
}

const nothingHeld = (name: string) =>
  notFound(`${name} holds no ZIP codes yet, so there is nothing to draw. Add some first.`);

/** Opens only links of the viewer's organization. A link of another organization is treated as unknown. */
async function sharePicture(db: Database, viewer: Viewer, token: string): Promise<Drawable> {
  const { id, status } = await findShare(viewer.tenant, viewer.brandScope, token);
  if (status !== 'active') throw notFound(NO_SUCH_SHARE);
  const share = await openShare(db, id);
  const zips = await zipsOfShare(db, share);
  const heading = shareHeading(share);
  return {
    brandId: share.owner.brandId,
    zips: async () => zips.map(({ zip }) => zip),
    content: ['share', id, heading, zips, lookKey(share.brand), share.places],
    draw: (shared, renderer, look) => drawShare(shared, renderer, share, zips, look),
  };
}

/**
 * Records the figures that a private picture reveals: class bounds are exact scores, except those of
 * national classes, which are the same everywhere.
 * @throws ServiceError 402 `zip_limit_exceeded`
 */
export async function recordFigures(
  db: Queryable,
  viewer: Viewer,
  drawable: Drawable,
  { classes = 'national' }: PictureOptions,
): Promise<void> {
  if (classes !== 'national') await recordSeenZips(viewer, await drawable.zips(db));
  else if (drawable.figures) await recordSeenZips(viewer, drawable.figures);
}

/** @throws ServiceError 400 for options that have no effect in combination */
export function lookOf({
  style,
  size,
  format,
  view,
  padding,
  overlay,
  markers,
  title,
  classes,
  scalebar,
  composition,
  basemap,
  color,
  places,
  asOf,
  ...picture
}: StaticPicture): PictureOptions {
  if (asOf !== undefined && picture.subject.kind !== 'brand') {
    throw badRequest('asOf: only territories have earlier days. Use the subject brand.');
  }
  if (classes !== undefined && !('vertical' in picture.subject && picture.subject.vertical)) {
    throw badRequest(
      'classes: has no effect without a vertical. Add one to the subject, such as :roofing.',
    );
  }
  if (color !== undefined && isPublic(picture.subject)) {
    throw badRequest(
      'color: pictures of metros are public and never show own data. Use the subject brand, zips, or state.',
    );
  }
  if (places !== undefined && isPublic(picture.subject)) {
    throw badRequest(
      'places: pictures of metros are public and show no places. Use the subject brand, zips, or state.',
    );
  }
  if (color !== undefined && 'vertical' in picture.subject && picture.subject.vertical) {
    throw badRequest(
      'color: a subject with a vertical is colored by score. Leave out one of them.',
    );
  }
  if (picture.transparent && format === 'jpg') {
    throw badRequest('transparent: a jpg has no transparency. Use png or webp.');
  }
  if (padding !== undefined && view !== 'auto' && !('bbox' in view)) {
    throw badRequest(
      'padding: has no effect on a view of lng,lat,zoom. Use the view auto or minLng,minLat,maxLng,maxLat.',
    );
  }
  if (isPublic(picture.subject)) refuseLarge(size);
  const camera = cameraOfView(view, size, padding);
  return {
    style,
    basemap,
    ...size,
    format,
    transparent: picture.transparent,
    labels: picture.labels,
    legend: picture.legend,
    insets: picture.insets,
    overlay: [...(overlay ?? []), ...(markers ?? [])],
    ...(title !== undefined && { title }),
    ...(classes && { classes }),
    ...(composition && { composition }),
    ...(scalebar && { scaleBar: scalebar === 'true' }),
    ...(camera && { camera }),
    ...(padding && { paddingPx: padding }),
  };
}
