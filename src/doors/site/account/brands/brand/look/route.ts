/** The look of a brand's maps: a form, and the resulting pictures. */
import { isManager, WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { STYLE_NAMES } from '../../../../../../data/basemap/styles.ts';
import { badRequest, ServiceError } from '../../../../../../errors.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import {
  brandingOf,
  setBranding,
  type Branding,
} from '../../../../../../territories/brands/branding.ts';
import { territoryPicture } from '../../../../../../territories/brands/export/picture.ts';
import { FormState } from '../../../../form-state.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Page } from '../../../../framework/page.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPath } from '../frame.ts';
import { loadBrand } from '../load-brand.ts';
import { readDraft, savedDraft, type Draft } from './draft.ts';
import { LOOK_FORMS, lookPage, PREVIEW_PX, type PreviewPictures } from './view.ts';

/** More than a logo may have, so that a file that is too large doesn't cost the person the other fields. */
const UPLOAD_BYTES = 4 * 1024 * 1024;

export const lookRoute: Page<'account'> = {
  audience: 'account',
  path: LOOK_FORMS.save,
  async show(visit, form) {
    const brand = await loadBrand(visit);
    const saved = await brandingOf(visit.caller.tenant, brand);
    if (form.isUnsent) return pageOf(visit, brand, savedDraft(saved), form);
    const draft = await readDraft(saved, form.fields);
    return pageOf(visit, brand, draft, form);
  },
  forms: [
    {
      uploadBytes: UPLOAD_BYTES,
      needs: 'manager',
      async submit(visit, fields) {
        const { caller } = visit;
        const brand = await loadBrand(visit);
        const { look, problems } = await readDraft(await brandingOf(caller.tenant, brand), fields);
        checkedFields(
          Object.fromEntries(
            Object.entries(problems).map(([field, problem]) => [field, () => refuse(problem)]),
          ),
        );
        await setBranding(caller.tenant, caller.actor, brand, look);
        return { to: brandPath(brand, '/look'), notice: 'look-saved' };
      },
    },
    {
      path: LOOK_FORMS.preview,
      limit: 'map-image',
      uploadBytes: UPLOAD_BYTES,
      async submit(visit, fields) {
        const brand = await loadBrand(visit);
        const draft = await readDraft(await brandingOf(visit.caller.tenant, brand), fields);
        const { problems } = draft;
        const state = new FormState(LOOK_FORMS.preview, fields, { fields: problems });
        return { page: await pageOf(visit, brand, draft, state) };
      },
    },
  ],
};

const refuse = (problem: string): never => {
  throw badRequest(problem);
};

async function pageOf(
  visit: MemberVisit,
  brand: Brand,
  draft: Draft,
  form: FormState,
): Promise<AccountContent> {
  const { caller, links } = visit;
  const refusal = isManager(caller)
    ? refusalFor(caller, WRITER)
    : 'Only owners and admins can change the look of a brand.';
  const pictures = form.isUnsent ? null : await drawPreview(visit, brand, draft.look);
  return lookPage({ brand, draft, form, pictures, refusal }, links);
}

/** @returns data URLs of unsaved pictures, or the reason why there are none */
async function drawPreview(
  { db, renderer, caller }: MemberVisit,
  brand: Brand,
  look: Branding,
): Promise<PreviewPictures> {
  const territory = { tenant: caller.tenant, brand };
  const draw = async (style: (typeof STYLE_NAMES)[number]) => {
    const options = { style, ...PREVIEW_PX, pixelRatio: 2, format: 'webp' } as const;
    const picture = await territoryPicture(db, renderer, territory, options, look);
    return `data:image/webp;base64,${picture.toString('base64')}`;
  };
  try {
    return { light: await draw('light'), dark: await draw('dark') };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return { missing: error.message };
  }
}
