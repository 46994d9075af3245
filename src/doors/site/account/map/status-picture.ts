/** Pictures of territories by status: small ones for lists and narrow screens, large ones for pages. */
import { createHash } from 'node:crypto';
import { BASEMAP_LAYERS } from '../../../../data/basemap/features.ts';
import { boundariesAsOf } from '../../../../base/db/boundaries-as-of.ts';
import type { DataAt } from '../../../../base/db/imported-data.ts';
import { notFound } from '../../../../errors.ts';
import { COUNTRY } from '../../../../base/spatial/bbox.ts';
import type { Pin } from '../../../../maps/cartography/place-pins.ts';
import type { HeldStatuses } from '../../../../territories/brands/brand-zips.ts';
import type { MemberData } from '../../framework/data.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import { html, type Html } from '../../html.ts';

const PNG = 'image/png';

/** Names, which are part of the address. */
export const PICTURES = {
  thumbnail: { width: 480, height: 300, pixelRatio: 1, labels: false, legend: false },
  picture: { width: 960, height: 480, pixelRatio: 2, labels: true, legend: true },
} as const;

type PictureName = keyof typeof PICTURES;
type Style = 'light' | 'dark';

export const pictureUnder = (name: PictureName, style: Style) => `/${name}/${style}.png`;

/** Browsers revalidate, because a brand of another organization can have the same address. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

/** What the pictures show */
export interface Pictured {
  /** The ZIP codes to draw */
  statuses: HeldStatuses;
  /** Those that approved changes add or remove, with the day: `2027-01-01`. Default: none */
  planned?: ReadonlyMap<string, string>;
  /** Places, which the large picture shows */
  pins: readonly Pin[];
  /** Draws the boundaries of this moment. Default: those of today */
  moment?: Date | null;
}

const DATASETS = ['boundaries', ...BASEMAP_LAYERS] as const;

/** @param under path above those of the pictures */
export const statusPictures = (
  under: string,
  picturedIn: (visit: MemberVisit) => Promise<Pictured>,
  parts: SiteParts,
): MemberData[] =>
  (['thumbnail', 'picture'] as const).map((kind) => statusPicture(kind, under, picturedIn, parts));

function statusPicture(
  kind: PictureName,
  under: string,
  picturedIn: (visit: MemberVisit) => Promise<Pictured>,
  { db, renderer, caches }: SiteParts,
): MemberData {
  const data = renderer.data(db, DATASETS);
  const answer = caches.answers({ name: `${under} ${kind}s`, type: PNG, data }, REVALIDATE);
  return {
    audience: 'member',
    path: `${under}/${kind}/{style}.png`,
    limit: 'tiles',
    type: PNG,
    prepared: true,
    async answer(visit) {
      const { style: name } = visit.params;
      const style = (['light', 'dark'] as const).find((one) => one === name);
      if (!style) throw notFound(`There is no style "${name}". Use light or dark.`);
      const { organization } = visit.caller;
      const { statuses, planned = new Map(), pins: all, moment = null } = await picturedIn(visit);
      const pins = kind === 'picture' ? all : [];
      const draw = async (data: DataAt) => {
        const { picture } = await renderer.drawMap(data, {
          ...PICTURES[kind],
          style,
          zips: [...statuses.keys()],
          coloring: { by: 'status', statuses, planned },
          heading: { title: '', subtitle: null },
          title: '',
          pins,
          fallbackBbox: COUNTRY,
        });
        return picture;
      };
      const then = moment && renderer.data(boundariesAsOf(db, moment), DATASETS);
      const key = `${organization.id} ${style} ${hashOf(statuses, planned, pins)} ${moment?.toISOString() ?? ''}`;
      return answer(key, (data) => (then ? then.read(draw) : draw(data)));
    },
  };
}

/** Territories with the same ZIP codes, statuses, plans, and places share a picture within an organization. */
const hashOf = (
  statuses: ReadonlyMap<string, string>,
  planned: ReadonlyMap<string, string>,
  pins: readonly Pin[],
) =>
  createHash('sha256')
    .update(JSON.stringify([...statuses, [...planned], pins]))
    .digest('base64url');

type AddressOf = (name: PictureName, style: Style) => string;

/** A small picture in a list, which needs no words because its entry has them */
export const thumbnail = (at: AddressOf): Html =>
  html`<picture>
    <source media="(prefers-color-scheme: dark)" srcset="${at('thumbnail', 'dark')}" />
    <img
      src="${at('thumbnail', 'light')}"
      width="${PICTURES.thumbnail.width}"
      height="${PICTURES.thumbnail.height}"
      alt=""
      loading="lazy"
    />
  </picture>`;

/** Narrow screens get a smaller picture, because the labels of the large one would be too small. */
export const territoryPicture = (at: AddressOf, alt: string): Html =>
  html`<picture class="territory-picture">
    <source
      media="(max-width: 640px) and (prefers-color-scheme: dark)"
      srcset="${at('thumbnail', 'dark')}"
    />
    <source media="(max-width: 640px)" srcset="${at('thumbnail', 'light')}" />
    <source media="(prefers-color-scheme: dark)" srcset="${at('picture', 'dark')}" />
    <img
      src="${at('picture', 'light')}"
      width="${PICTURES.picture.width}"
      height="${PICTURES.picture.height}"
      alt="${alt}"
    />
  </picture>`;
