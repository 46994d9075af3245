/** A look that a person is editing: the fields of the form, each checked. */
import { ServiceError } from '../../../../../../errors.ts';
import { FormFields } from '../../../../../http/requests/form-fields.ts';
import {
  checkedAccent,
  checkedLogo,
  checkedText,
  type Branding,
} from '../../../../../../territories/brands/branding.ts';

export const LOGO_FIELD = 'logo';
/** A new logo, sent with the form because browsers drop files when a page shows problems or a preview */
export const KEPT_LOGO_FIELD = 'kept-logo';
export const REMOVE_LOGO_FIELD = 'remove-logo';

export interface Draft {
  /** The entered look, with saved values in place of invalid ones. */
  look: Branding;
  /** By field */
  problems: Record<string, string>;
  /** Whether the logo isn't saved yet */
  isLogoNew: boolean;
}

export const savedDraft = (look: Branding): Draft => ({ look, problems: {}, isLogoNew: false });

export async function readDraft(saved: Branding, fields: URLSearchParams): Promise<Draft> {
  const draft = savedDraft({ ...saved });
  const { look, problems } = draft;
  const check = async <Part extends keyof Branding>(
    part: Part,
    value: () => Branding[Part] | Promise<Branding[Part]>,
  ) => {
    try {
      look[part] = await value();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      problems[part] = error.message;
    }
  };
  await check('title', () => checkedText('title', fields.get('title')));
  await check('subtitle', () => checkedText('subtitle', fields.get('subtitle')));
  await check('accent', () => checkedAccent(fields.get('accent')));
  const file = newLogo(fields);
  if (file !== null) await check('logo', () => checkedLogo(file));
  else if (fields.get(REMOVE_LOGO_FIELD) !== null) look.logo = null;
  draft.isLogoNew = file !== null && problems['logo'] === undefined;
  return draft;
}

/** Browsers send an empty file if none was chosen. */
function newLogo(fields: URLSearchParams): Uint8Array | null {
  const file = fields instanceof FormFields ? fields.files.get(LOGO_FIELD) : undefined;
  if (file !== undefined && file.length > 0) return file;
  const kept = fields.get(KEPT_LOGO_FIELD);
  return kept ? Buffer.from(kept, 'base64') : null;
}
