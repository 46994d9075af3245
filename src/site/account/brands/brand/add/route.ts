/** Adding ZIP codes to a brand: entered as a list or by a radius, previewed, then sent to review. */
import { randomUUID } from 'node:crypto';
import { changeRefusal, requireChange } from '../../../../../account/access.ts';
import { idempotent } from '../../../../../agent/idempotent.ts';
import { badRequest } from '../../../../../errors.ts';
import { applyZips, previewApply } from '../../../../../territory/apply.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { effectOfChange } from '../../../../../territory/effect.ts';
import { parsePastedZips } from '../../../../../territory/pasted-zips.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Page } from '../../../../framework/page.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { AccountContent } from '../../../frame.ts';
import { loadMapBase } from '../../../map/load.ts';
import { checkedRemark, readOnceKey } from '../change-fields.ts';
import { loadBrand } from '../load-brand.ts';
import { brandPath } from '../frame.ts';
import { zipsInReach } from '../../../map/reach.ts';
import { ADD_FORMS, addPage, addPreviewPage, type EnteredZips } from './view.ts';

async function preview(visit: MemberVisit, fields: URLSearchParams): Promise<AccountContent> {
  const { tenant, brandScope } = visit.caller;
  const brand = await loadBrand(visit);
  const entered = await readZips(visit, fields);
  const outcome = await previewApply(tenant, brand, entered.zips);
  const { queued } = outcome;
  const [effect, map] = await Promise.all([
    effectOfChange(visit.db, visit.caller, brandScope, brand, { added: queued }),
    loadMapBase(visit, queued.length > 0 ? queued : entered.zips),
  ]);
  const note = fields.get('note') ?? '';
  const refusal = changeRefusal(visit.caller);
  const content = { brand, entered, outcome, effect, map, note, once: randomUUID(), refusal };
  return addPreviewPage(content, visit.links);
}

export const addRoute: Page<'account'> = {
  audience: 'account',
  path: ADD_FORMS.preview,
  async show(visit, form) {
    const { query, caller, links } = visit;
    // Other pages link here with a short list.
    if (form.isUnsent && (query.get('zips') || query.get('around'))) return preview(visit, query);
    const brand = await loadBrand(visit);
    return addPage(
      { brand, form, hasDrives: visit.driveTimes !== undefined, refusal: changeRefusal(caller) },
      links,
    );
  },
  forms: [
    { submit: async (visit, fields) => ({ page: await preview(visit, fields) }) },
    {
      path: ADD_FORMS.send,
      async submit(visit, fields) {
        requireChange(visit.caller);
        const brand = await loadBrand(visit);
        await requestZips(visit, brand, fields);
        return { to: brandPath(brand), notice: 'zips-requested' };
      },
    },
  ],
};

/** Requests the ZIP codes once, even if the form is sent twice. */
async function requestZips(
  { caller }: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
): Promise<void> {
  const { note } = checkedFields({ note: () => checkedRemark(fields.get('note')) });
  const { zips } = parsePastedZips(fields.get('zips') ?? '');
  const input = { brand: brand.id, zips, note };
  await caller.tenant.transaction((tx) =>
    idempotent(tx, { tool: 'page_add_zips', key: readOnceKey(fields), input }, async () => {
      const { batchId, queued } = await applyZips(tx, caller.actor, brand, { zips, note });
      if (batchId !== null) return { batchId, queued: queued.length };
      throw badRequest(
        `${brand.name} already holds all of these ZIP codes, live or pending review.`,
      );
    }),
  );
}

async function readZips(visit: MemberVisit, fields: URLSearchParams): Promise<EnteredZips> {
  if (!fields.get('reach')) {
    const { zips: pasted } = checkedFields({
      zips: () => {
        const read = parsePastedZips(fields.get('zips') ?? '');
        if (read.zips.length > 0) return read;
        throw badRequest('No ZIP code found. Enter five digits, such as 75201.');
      },
    });
    return { ...pasted, radius: null };
  }
  const { zips, within, place } = await zipsInReach(visit, fields);
  const reach = `${within} of ${place}`;
  if (zips.length > 0) return { zips: [...zips], radius: reach, guessed: [], notUnderstood: [] };
  throw badRequest(`No ZIP code has its center ${reach}. Enter a larger number.`);
}
