/** The form for the look of a brand, and the resulting pictures in light and dark. */
import { accentOn } from '../../../../../../maps/cartography/brand-look.ts';
import { contrast } from '../../../../../../render/contrast.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import {
  LOGO_LIMITS,
  MAX_BRANDING_TEXT,
  MIN_ACCENT_CONTRAST,
} from '../../../../../../territories/brands/branding.ts';
import { paperOf } from '../../../../brand-mark.ts';
import type { FormState } from '../../../../form-state.ts';
import { textField, wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import type { AccountContent } from '../../../frame.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { KEPT_LOGO_FIELD, LOGO_FIELD, REMOVE_LOGO_FIELD, type Draft } from './draft.ts';

export const LOOK_FORMS = {
  save: '/account/brands/{brand}/look',
  preview: '/account/brands/{brand}/look/preview',
} as const;

/** Size of a link preview, the picture that most people see first, in CSS pixels */
export const PREVIEW_PX = { width: 600, height: 315 } as const;

/** Addresses of pictures, or the reason why there are none */
export type PreviewPictures = { light: string; dark: string } | { missing: string };

interface LookContent {
  brand: Brand;
  draft: Draft;
  form: FormState;
  /** Null for the saved look */
  pictures: PreviewPictures | null;
  /** Reason why the viewer can't change the look; undefined if they can */
  refusal: string | undefined;
}

export function lookPage(content: LookContent, links: Links): AccountContent {
  const { brand, form, refusal } = content;
  const main = html`${wholeProblem(form)}
    <p>
      How pictures, share links, embeds, and exhibits of ${brand.name} look. A share link that hides
      the brand shows none of this.
    </p>
    ${refusalNotice(refusal)}
    <div class="look">
      ${refusal === undefined && lookForm(content, links)} ${previewSection(content, links)}
    </div>`;
  const assets = [
    'account/brands/brand/look/style.css',
    'account/brands/brand/look/script.ts',
  ] as const;
  return brandPageOf({ brand, under: '/look', assets, main }, links);
}

function lookForm({ brand, draft, form }: LookContent, links: Links): Html {
  const { look, problems, isLogoNew } = draft;
  const address = links.page(brandPath(brand, '/look'));
  const text = { maxlength: MAX_BRANDING_TEXT, autocomplete: 'off', optional: true } as const;
  return html`<form
    method="post"
    enctype="multipart/form-data"
    action="${address}"
    data-preview="${address}/preview"
  >
    ${textField(
      {
        ...text,
        name: 'title',
        label: 'Title',
        value: look.title ?? '',
        hint: `Default: ${brand.name}`,
      },
      form,
    )}
    ${textField(
      {
        ...text,
        name: 'subtitle',
        label: 'Subtitle',
        value: look.subtitle ?? '',
        hint: 'Default: the number of ZIP codes and their states',
      },
      form,
    )}
    <div class="accent-field">
      ${textField(
        {
          name: 'accent',
          label: 'Accent color',
          value: look.accent ?? '',
          hint: html`Such as <code>#1d6f74</code>; empty for none. Needs a contrast of
            ${MIN_ACCENT_CONTRAST}:1 with white.`,
          maxlength: 7,
          autocomplete: 'off',
          optional: true,
        },
        form,
      )}
      <input
        type="color"
        value="${look.accent ?? '#1d6f74'}"
        aria-label="Pick the accent color"
        hidden
      />
    </div>
    <div class="field">
      <label for="logo">Logo</label>
      <p class="hint" id="logo-hint">
        PNG or SVG, up to ${LOGO_LIMITS.bytes / 1024} kB, best with a transparent background.
      </p>
      <input
        id="logo"
        type="file"
        name="${LOGO_FIELD}"
        accept=".png,.svg,image/png,image/svg+xml"
        aria-describedby="logo-hint${problems['logo'] !== undefined && ' logo-problem'}"
        ${problems['logo'] !== undefined && html`aria-invalid="true"`}
      />
      ${problems['logo'] !== undefined && html`<p class="problem" id="logo-problem">${problems['logo']}</p>`}
      <div id="new-logo">
        ${
          isLogoNew &&
          html`<p class="hint">A new logo is chosen. It’s saved with the look.</p>
            <input
              type="hidden"
              name="${KEPT_LOGO_FIELD}"
              value="${look.logo!.toString('base64')}"
            />`
        }
      </div>
      ${
        look.logo !== null &&
        html`<label class="choice">
          <input type="checkbox" name="${REMOVE_LOGO_FIELD}" value="true" />
          <span>Remove the logo</span>
        </label>`
      }
    </div>
    <button class="button">Save look</button>
    <button class="quiet-button" formaction="${address}/preview">Preview</button>
  </form>`;
}

function previewSection(
  { brand, draft: { look }, form, pictures }: LookContent,
  links: Links,
): Html {
  return html`<section id="preview" aria-label="Preview">
    <h2>${form.isUnsent ? 'Now' : 'Preview, not saved yet'}</h2>
    ${figures(pictures ?? savedPictures(brand, links), brand)}
    ${look.accent !== null && contrastText(look.accent)}
  </section>`;
}

function savedPictures(brand: Brand, links: Links): PreviewPictures {
  const { width, height } = PREVIEW_PX;
  const address = (style: string) =>
    `${links.page(brandPath(brand, '/export.png'))}?size=${width}x${height}&ratio=2&style=${style}`;
  return { light: address('light'), dark: address('dark') };
}

function figures(pictures: PreviewPictures, brand: Brand): Html {
  if ('missing' in pictures) return html`<p class="quiet">${pictures.missing}</p>`;
  const { width, height } = PREVIEW_PX;
  return html`<div class="pictures">
    ${(['light', 'dark'] as const).map(
      (style) =>
        html`<figure>
          <img
            src="${pictures[style]}"
            width="${width}"
            height="${height}"
            alt="Map of ${brand.name} in the ${style} style"
          />
        </figure>`,
    )}
  </div>`;
}

function contrastText(accent: string): Html {
  const swatch = (color: string) =>
    html`<svg class="accent-swatch" width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" fill="${color}" />
    </svg>`;
  const dark = accentOn(accent, paperOf('dark'));
  const ratio = (color: string, paper: string) => `${contrast(color, paper).toFixed(1)}:1`;
  return html`<ul class="contrasts">
    <li>
      ${swatch(accent)} On white, ${accent} has a contrast of ${ratio(accent, '#ffffff')}. At least
      ${MIN_ACCENT_CONTRAST}:1 is needed.
    </li>
    <li>
      ${swatch(dark)}
      ${dark === accentOn(accent, '#ffffff') ? 'In the dark style, it is the same' : 'In the dark style, it is lighter'}:
      ${ratio(dark, paperOf('dark'))}.
    </li>
  </ul>`;
}
