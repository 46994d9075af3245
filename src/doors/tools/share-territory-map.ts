import { z } from 'zod';
import {
  mintShare,
  emptySnapshot,
  SHARE_DAYS,
  SHARE_KINDS,
  type ShareKind,
} from '../../territories/share/links.ts';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import { heldZipStatuses } from '../../territories/brands/brand-zips.ts';
import { brand, remark, vertical, writeFields } from './support/fields.ts';
import { writeOnce } from '../../people/metering/idempotent.ts';
import {
  describeShare,
  embedCode,
  partsUrl,
  recordOf,
  ShareRecord,
} from './support/share-record.ts';
import { tool } from './tool.ts';
import { pluralize } from '../../base/text/words.ts';

const { min, max, default: defaultDays } = SHARE_DAYS;

export const shareTerritoryMap = tool({
  name: 'service_share_territory_map',
  title: 'Share a territory map',
  summary: 'Create a public, expiring link to a map of a brand’s ZIP codes',
  description:
    'Anyone with the link sees the live and pending ZIP codes, but no scores. Kind brand follows ' +
    'changes; zip_snapshot stays as it is now.',
  units: 5,
  write: true,
  destructive: false,
  input: z.object({
    brand,
    kind: z.enum(SHARE_KINDS).default('brand'),
    title: remark.min(1).max(80).optional(),
    vertical: vertical.optional().meta({ description: 'Shown on the map' }),
    expiresInDays: z.int().min(min).max(max).default(defaultDays),
    hideBranding: z
      .boolean()
      .default(false)
      .meta({ description: 'Names neither the brand nor who shared it' }),
    showPlaces: z
      .boolean()
      .default(false)
      .meta({ description: 'Shows the brand’s places, never competitors' }),
    ...writeFields,
  }),
  output: z.object({
    share: ShareRecord,
    zips: z.int(),
    metaUrl: z.string(),
    boundariesUrl: z.string().meta({ description: 'GeoJSON' }),
    tilesUrl: z.string(),
  }),
  example: { brand: 'lone-star-roofing', title: 'Where we roof', confirm: true },
  async preview(input, { caller: { tenant, brandScope } }) {
    const named = await findBrand(tenant, brandScope, input.brand);
    const { size } = await heldZipStatuses(tenant, named);
    if (size === 0 && input.kind === 'zip_snapshot') throw emptySnapshot(named);
    const { kind, expiresInDays, hideBranding, showPlaces } = input;
    return {
      changes: {
        brand: named.slug,
        brandName: named.name,
        zips: size,
        kind,
        expiresInDays,
        hideBranding,
        showPlaces,
      },
      text: `Creates a public link that expires after ${pluralize(expiresInDays, 'day')}. ${describeContent(named, kind, size)} ${describeNames(named, input)}`,
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor }, apiRoot, siteRoot, charge }) {
    const named = await findBrand(tenant, brandScope, input.brand);
    return writeOnce(this.name, input, tenant, async (tx) => {
      const { expiresInDays: days, showPlaces: showsPlaces, ...rest } = input;
      const { link, zips } = await mintShare(tx, actor, named, { ...rest, days, showsPlaces });
      await charge(tx);
      const url = partsUrl(link, apiRoot);
      const share = recordOf(link, { apiRoot, siteRoot });
      return {
        data: {
          share,
          zips,
          metaUrl: `${url}/meta`,
          boundariesUrl: `${url}/boundaries`,
          tilesUrl: `${url}/tiles/{z}/{x}/{y}.mvt`,
        },
        text: [
          `Shared: ${describeShare(link)}.`,
          `${describeContent(named, link.kind, zips)} ${describeNames(named, input)}`,
          `Page: ${share.shareUrl}`,
          `To embed it: ${embedCode(share)}`,
          `Picture: ${url}/map.png`,
          `GeoJSON: ${url}/boundaries`,
          `To revoke it: service_revoke_share_link with ${link.code}.`,
        ].join('\n'),
      };
    });
  },
});

function describeContent({ name }: Brand, kind: ShareKind, zips: number): string {
  const held = pluralize(zips, 'ZIP code');
  return kind === 'brand'
    ? `Anyone with the link sees the current territory of ${name} (now ${held}).`
    : `Anyone with the link sees the ${held} that ${name} holds now, even after changes.`;
}

const describeNames = ({ name }: Brand, { hideBranding }: { hideBranding: boolean }) =>
  hideBranding ? 'It shows no names.' : `It shows the name ${name}.`;
