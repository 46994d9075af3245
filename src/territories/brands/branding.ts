/** The look of a brand's maps and shares: title, subtitle, accent color, and logo. */
import { createHash } from 'node:crypto';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantDatabase } from '../../people/account/tenant.ts';
import { contrast } from '../../render/contrast.ts';
import type { Queryable } from '../../base/db/database.ts';
import { badRequest, notFound } from '../../errors.ts';
import { sharp } from '../../render/sharp.ts';
import { recordActivity } from '../../people/account/activity.ts';
import { lockBrands, type Brand } from './brands.ts';

export interface Branding {
  title: string | null;
  subtitle: string | null;
  /** #rrggbb */
  accent: string | null;
  /** PNG, at most as large as `LOGO_LIMITS.drawnPx` */
  logo: Buffer | null;
}

const NO_BRANDING: Branding = { title: null, subtitle: null, accent: null, logo: null };

export const LOGO_LIMITS = {
  /** Largest size of an uploaded file */
  bytes: 512 * 1024,
  /** Largest number of pixels of an uploaded picture */
  pixels: 4_000_000,
  /** Size of stored logos: the largest size at which maps draw them */
  drawnPx: { width: 480, height: 120 },
} as const;

export const MAX_BRANDING_TEXT = 80;

/** Minimum contrast with white paper, for people with low vision (WCAG 2.2, 1.4.11) */
export const MIN_ACCENT_CONTRAST = 3;

export async function brandingOf(tenant: Tenant, brand: Pick<Brand, 'id'>): Promise<Branding> {
  const [row] = await tenant.query<Branding>(
    `select title, subtitle, accent, logo from brand_looks
     where organization_id = $1 and brand_id = $2`,
    [brand.id],
  );
  return row ?? NO_BRANDING;
}

/** Returns the end of a logo's address. It changes with the logo, so clients keep each logo for a year. */
export const logoHash = (logo: Buffer) => createHash('sha256').update(logo).digest('hex');

/** Where the site has a logo, for everyone */
export const logoPath = (logo: Buffer) => `/logos/${logoHash(logo)}.png`;

/**
 * Finds a logo of any organization. Only clients that have seen a logo know its hash.
 * @throws ServiceError 404 if no brand has this logo now
 */
export async function logoByHash(db: Queryable, hash: string): Promise<Buffer> {
  const [row] = await db.query<{ logo: Buffer }>(
    'select logo from brand_looks where logo_hash = $1 limit 1',
    [hash],
  );
  if (row) return row.logo;
  throw notFound('No brand has this logo. Reload the page that shows it.');
}

/** Returns the heading of a brand's maps, and the look that goes with it. @param day in words, for an earlier one */
export const brandedHeading = (name: string, branding: Branding, day?: string) => ({
  heading: {
    title: branding.title ?? name,
    subtitle:
      [branding.subtitle, ...(day ? [`As of ${day}`] : [])].filter(Boolean).join(' · ') || null,
  },
  brand: branding,
});

/** Values to set. Null removes a value, and a missing one stays as it is. `logo` is the uploaded file. */
type BrandingChange = { [Part in keyof Branding]?: Branding[Part] | undefined };

/**
 * Changes the look and records the activity, unless the look stays the same.
 * @returns the new branding
 * @throws ServiceError 400 as `checkedText`, `checkedAccent`, and `checkedLogo`
 */
export async function setBranding(
  tenant: TenantDatabase,
  actor: Actor,
  brand: Pick<Brand, 'id' | 'name'>,
  change: BrandingChange,
): Promise<Branding> {
  const { title, subtitle, accent } = change;
  const checked: BrandingChange = {
    ...(title !== undefined && { title: checkedText('title', title) }),
    ...(subtitle !== undefined && { subtitle: checkedText('subtitle', subtitle) }),
    ...(accent !== undefined && { accent: checkedAccent(accent) }),
    ...(change.logo !== undefined && { logo: await checkedLogo(change.logo) }),
  };
  return tenant.transaction(async (tx) => {
    lockBrands(tx, [brand.id]);
    const before = await brandingOf(tx, brand);
    const after = { ...before, ...checked } as Branding;
    const [was, is] = [activityFields(before), activityFields(after)];
    const changed = PARTS.filter(([part]) => was[part] !== is[part]);
    if (changed.length === 0) return before;
    tx.defer(
      `insert into brand_looks (organization_id, brand_id, title, subtitle, accent, logo)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (brand_id) do update set title = excluded.title, subtitle = excluded.subtitle,
         accent = excluded.accent, logo = excluded.logo`,
      [brand.id, after.title, after.subtitle, after.accent, after.logo],
    );
    recordActivity(tx, {
      actor,
      action: 'branding_set',
      brandId: brand.id,
      zips: [],
      summary: `Changed the look of ${brand.name}: ${changed.map(([, name]) => name).join(', ')}.`,
      before: was,
      after: is,
    });
    return after;
  });
}

const PARTS = [
  ['title', 'title'],
  ['subtitle', 'subtitle'],
  ['accent', 'accent color'],
  ['logo', 'logo'],
] as const;

/** The activity log stores the hash of a logo instead of its bytes. */
const activityFields = ({ logo, ...texts }: Branding) => ({
  ...texts,
  logo: logo && logoHash(logo),
});

/** Returns a trimmed text, or null if it is empty. @throws ServiceError 400 for a text that is too long */
export function checkedText(name: string, text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length <= MAX_BRANDING_TEXT) return trimmed === '' ? null : trimmed;
  throw badRequest(
    `The ${name} has ${trimmed.length} characters. Shorten it to ${MAX_BRANDING_TEXT} or fewer.`,
  );
}

/** Returns a color as `#rrggbb`. @throws ServiceError 400 for an invalid color, or one that is too light */
export function checkedAccent(text: string | null): string | null {
  const color = text?.trim().toLowerCase() ?? '';
  if (color === '') return null;
  if (!/^#[0-9a-f]{6}$/.test(color)) {
    throw badRequest(`"${text}" isn't a color. Write the accent color like #1d6f74.`);
  }
  const reached = contrast(color, '#ffffff');
  if (reached >= MIN_ACCENT_CONTRAST) return color;
  throw badRequest(
    `${color} has a contrast of ${reached.toFixed(1)}:1 with white paper. Choose a darker color with at least ${MIN_ACCENT_CONTRAST}:1.`,
  );
}

/**
 * Converts a PNG or SVG to a PNG of the size at which maps draw it.
 * @throws ServiceError 400 for another format, or for a file that is damaged, too large, or refers to other files
 */
export async function checkedLogo(file: Uint8Array | null): Promise<Buffer | null> {
  if (file === null || file.length === 0) return null;
  if (file.length > LOGO_LIMITS.bytes) {
    throw badRequest(
      `The logo has ${Math.ceil(file.length / 1024)} kB. Use a file of at most ${LOGO_LIMITS.bytes / 1024} kB.`,
    );
  }
  const bytes = Buffer.from(file);
  const isPng = bytes.subarray(0, 8).equals(PNG_SIGNATURE);
  const text = isPng ? '' : bytes.toString('utf8');
  if (!isPng && !/<svg[\s>]/i.test(text)) {
    throw badRequest('The logo is neither a PNG nor an SVG. Export it as one of these.');
  }
  // Entities can expand to gigabytes, and addresses can name files of the server.
  if (
    /<!DOCTYPE|<!ENTITY|<script|<foreignObject|(href|src)\s*=\s*["'](?!#|data:image\/png)|@import|url\(\s*(?!["']?#)/i.test(
      text,
    )
  ) {
    throw badRequest(
      'The logo contains scripts, entities, or links to other files. Export it as a plain SVG or as a PNG.',
    );
  }
  const options = { limitInputPixels: LOGO_LIMITS.pixels, failOn: 'error' } as const;
  try {
    const density = isPng ? undefined : await sharpDensity(bytes);
    return await sharp(bytes, { ...options, ...(density && { density }) })
      .resize({ ...LOGO_LIMITS.drawnPx, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch (cause) {
    throw Object.assign(
      badRequest(
        `The logo can't be read: it is damaged, or it has more than ${LOGO_LIMITS.pixels / 1e6} million pixels. Export it again.`,
      ),
      { cause },
    );
  }
}

const SVG_DPI = 72;
/** Largest density that librsvg accepts */
const MAX_DPI = 2400;

/** Returns the density at which a small SVG fills the size at which maps draw it. */
async function sharpDensity(svg: Buffer): Promise<number> {
  const { width, height } = await sharp(svg).metadata();
  const { drawnPx } = LOGO_LIMITS;
  const enlarge = Math.min(drawnPx.width / width, drawnPx.height / height);
  return Math.min(MAX_DPI, SVG_DPI * Math.max(1, enlarge));
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
