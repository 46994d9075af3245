/**
 * Adding ZIPs to a brand: named one by one, pasted, or by a radius; shown with their effect, and then
 * asked for. A reviewer decides.
 */
import { randomUUID } from 'node:crypto';
import { idempotent } from '../../../../../agent/idempotent.ts';
import { remark } from '../../../../../agent/fields.ts';
import { badRequest } from '../../../../../errors.ts';
import { ADD_FORMS, addPage, addPreviewPage, type AddGiven } from './view.ts';
import { brandPath } from '../frame.ts';
import { applyZips, previewApply } from '../../../../../territory/apply.ts';
import { brandNamed, type Brand } from '../../../../../territory/brands.ts';
import { effectOfChange } from '../../../../../territory/effect.ts';
import { parsePastedZips } from '../../../../../territory/pasted-zips.ts';
import { zipsInRadius, type RadiusCenter } from '../../../../../territory/zips-in-radius.ts';
import { counted } from '../../../../../words.ts';
import { mapGround } from '../../../map/load.ts';
import { changeHindrance, requireChange } from '../../../../../account/may-change.ts';
import type { PersonPage } from '../../../../framework/page.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import { residentOf } from '../../../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../../../framework/visit.ts';

export function addZips({ db }: PeopleParts): PersonPage<MemberVisit> {
  const brandOf = ({ caller, params }: MemberVisit) =>
    brandNamed(caller.tenant, caller.brandScope, params.brand!);

  const preview = async (visit: MemberVisit, fields: URLSearchParams): Promise<string> => {
    const { tenant, brandScope } = visit.caller;
    const brand = await brandOf(visit);
    const given = await zipsGiven(visit, fields);
    const outcome = await previewApply(tenant, brand, given.zips);
    const { queued } = outcome;
    const [common, effect, map] = await Promise.all([
      residentOf(db, visit),
      effectOfChange(tenant, brandScope, brand, { added: queued }),
      mapGround(tenant, queued.length > 0 ? queued : given.zips),
    ]);
    const content = {
      ...common,
      brand,
      given,
      outcome,
      effect,
      map,
      note: fields.get('note') ?? '',
      once: randomUUID(),
      hindrance: changeHindrance(visit.caller),
    };
    return addPreviewPage(content, visit.links);
  };

  return {
    path: ADD_FORMS.preview,
    show: async (visit, form) => {
      const { query, caller, links } = visit;
      // A short list may come by a link.
      if (form.isUnsent && isGiven(query)) return preview(visit, query);
      const [common, brand] = await Promise.all([residentOf(db, visit), brandOf(visit)]);
      return addPage({ ...common, brand, form, hindrance: changeHindrance(caller) }, links);
    },
    forms: [
      {
        path: ADD_FORMS.preview,
        submit: async (visit, fields) => ({ page: await preview(visit, fields) }),
      },
      {
        path: ADD_FORMS.send,
        submit: async (visit, fields) => {
          requireChange(visit.caller);
          const brand = await brandOf(visit);
          await send(visit, brand, fields);
          return { to: brandPath(brand), notice: 'zips-requested' };
        },
      },
    ],
  };
}

const isGiven = (fields: URLSearchParams) => !!(fields.get('zips') || fields.get('around'));

/** Once, however often the form is sent. */
async function send({ caller }: MemberVisit, brand: Brand, fields: URLSearchParams): Promise<void> {
  const { note } = checkedFields({ note: () => checkedRemark(fields.get('note')) });
  const { zips } = parsePastedZips(fields.get('zips') ?? '');
  const input = { brand: brand.id, zips, note };
  await caller.tenant.transaction((tx) =>
    idempotent(tx, { tool: 'page_add_zips', key: onceKey(fields), input }, async () => {
      const { batchId, queued } = await applyZips(tx, caller.actor, brand, { zips, note });
      if (batchId !== null) return { batchId, queued: queued.length };
      throw badRequest('The brand holds all of these ZIPs by now, live or in review.');
    }),
  );
}

/** @throws ServiceError 400 for a form without the key that its page gave it */
export function onceKey(fields: URLSearchParams): string {
  const once = fields.get('once') ?? '';
  if (/^[0-9a-f-]{36}$/.test(once)) return once;
  throw badRequest('The form came without its key. Go back, and preview the change again.');
}

/** @returns undefined for nothing but blanks */
export function checkedRemark(text: string | null): string | undefined {
  const checked = remark.safeParse(text ?? '');
  if (checked.success) return checked.data || undefined;
  throw badRequest('Up to 500 characters of readable text, please.');
}

async function zipsGiven(visit: MemberVisit, fields: URLSearchParams): Promise<AddGiven> {
  if (!fields.get('miles')) {
    const { zips, ...told } = checkedFields({
      zips: () => {
        const pasted = parsePastedZips(fields.get('zips') ?? '');
        if (pasted.zips.length > 0) return pasted;
        throw badRequest('There is no ZIP code in it: one has five digits, such as 75201.');
      },
    }).zips;
    return { zips, how: null, ...told };
  }
  const miles = Number(fields.get('miles'));
  const centre = centreGiven(fields);
  const zips = await zipsInRadius(visit.caller.tenant.common, centre, miles);
  const place = 'zip' in centre ? centre.zip : `${centre.lat}, ${centre.lng}`;
  const how = `within ${counted(miles, 'mile')} of ${place}`;
  if (zips.length > 0) return { zips, how, guessed: [], notUnderstood: [] };
  throw badRequest(`No ZIP code has its middle ${how}. Try a wider radius.`);
}

/** @throws ServiceError 400 for neither a ZIP nor a point */
export function centreGiven(fields: URLSearchParams): RadiusCenter {
  const [lat, lng] = [fields.get('lat'), fields.get('lng')];
  if (lat && lng) return { lat: Number(lat), lng: Number(lng) };
  const { around } = checkedFields({
    around: () => {
      const [zip] = parsePastedZips(fields.get('around') ?? '').zips;
      if (zip !== undefined) return zip;
      throw badRequest('Name a ZIP code to measure from, such as 75201.');
    },
  });
  return { zip: around };
}
