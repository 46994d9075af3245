/** The look of a brand's maps and shares: title, subtitle, accent color, and logo. */
import type { Tenant } from '../account/tenant.ts';
import { contrast } from '../contrast.ts';
import { badRequest } from '../errors.ts';
import { sharp } from '../render/sharp.ts';
import type { Brand } from './brands.ts';

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
  /** Size of an uploaded file */
  bytes: 512 * 1024,
  /** Pixels of an uploaded picture */
  pixels: 4_000_000,
  /** A logo is stored at the largest size at which maps draw it */
  drawnPx: { width: 480, height: 120 },
} as const;

const MAX_TEXT = 80;

/** Contrast with white paper (WCAG 2.2, 1.4.11): below it, people with low vision lose the color. */
const MIN_CONTRAST = 3;

export async function brandingOf(tenant: Tenant, brand: Pick<Brand, 'id'>): Promise<Branding> {
  const [row] = await tenant.query<Branding>(
    `select title, subtitle, accent, logo from brand_looks
     where organization_id = $1 and brand_id = $2`,
    [brand.id],
  );
  return row ?? NO_BRANDING;
}

/** Returns the heading of a brand's maps, and the look that goes with it. */
export const brandedHeading = (name: string, branding: Branding) => ({
  heading: { title: branding.title ?? name, subtitle: branding.subtitle },
  brand: branding,
});

/** A value to set, null to remove it; missing: as it is. `logo`: the file that was uploaded */
export type BrandingChange = { [Part in keyof Branding]?: Branding[Part] | undefined };

/**
 * @returns the new branding
 * @throws ServiceError 400 for a text that is too long, a color that isn't one or is too light, or a logo
 *   that isn't a PNG or SVG of bounded size
 */
export async function setBranding(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  change: BrandingChange,
): Promise<Branding> {
  const before = await brandingOf(tenant, brand);
  const after: Branding = {
    title: change.title === undefined ? before.title : checkText('title', change.title),
    subtitle:
      change.subtitle === undefined ? before.subtitle : checkText('subtitle', change.subtitle),
    accent: change.accent === undefined ? before.accent : checkAccent(change.accent),
    logo: change.logo === undefined ? before.logo : await checkLogo(change.logo),
  };
  await tenant.query(
    `insert into brand_looks (organization_id, brand_id, title, subtitle, accent, logo)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (brand_id) do update set title = excluded.title, subtitle = excluded.subtitle,
       accent = excluded.accent, logo = excluded.logo`,
    [brand.id, after.title, after.subtitle, after.accent, after.logo],
  );
  return after;
}

function checkText(name: string, text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length <= MAX_TEXT) return trimmed === '' ? null : trimmed;
  throw badRequest(
    `The ${name} has ${trimmed.length} characters. Shorten it to ${MAX_TEXT} or fewer.`,
  );
}

function checkAccent(text: string | null): string | null {
  const color = text?.trim().toLowerCase() ?? '';
  if (color === '') return null;
  if (!/^#[0-9a-f]{6}$/.test(color)) {
    throw badRequest(`"${text}" isn't a color. Write the accent color like #1d6f74.`);
  }
  const reached = contrast(color, '#ffffff');
  if (reached >= MIN_CONTRAST) return color;
  throw badRequest(
    `${color} has a contrast of ${reached.toFixed(1)}:1 with white paper. Choose a darker color with at least ${MIN_CONTRAST}:1.`,
  );
}

/** Converts a PNG or SVG to a PNG of the size in which maps draw it. */
async function checkLogo(file: Buffer | null): Promise<Buffer | null> {
  if (file === null || file.length === 0) return null;
  if (file.length > LOGO_LIMITS.bytes) {
    throw badRequest(
      `The logo has ${Math.ceil(file.length / 1024)} kB. Use a file of at most ${LOGO_LIMITS.bytes / 1024} kB.`,
    );
  }
  const isPng = file.subarray(0, 8).equals(PNG_SIGNATURE);
  const text = isPng ? '' : file.toString('utf8');
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
  try {
    return await sharp(file, { limitInputPixels: LOGO_LIMITS.pixels, failOn: 'error' })
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

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
