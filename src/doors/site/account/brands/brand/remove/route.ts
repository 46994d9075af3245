/** Removes ZIP codes from a brand, after a preview. */
import { randomUUID } from 'node:crypto';
import { WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { answerOnce } from '../../../../../../people/metering/idempotent.ts';
import { badRequest, notFound } from '../../../../../../errors.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import { effectOfChange } from '../../../../../../territories/brands/effect.ts';
import { heldZipStatuses, matchingZips } from '../../../../../../territories/brands/brand-zips.ts';
import {
  readPastedZips,
  type PastedZips,
} from '../../../../../../territories/brands/pasted-zips.ts';
import { previewRemove, removeZips } from '../../../../../../territories/brands/remove.ts';
import { unrestorable } from '../../../../../../territories/brands/undo.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Page } from '../../../../framework/page.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { AccountContent } from '../../../frame.ts';
import { checkedRemark, readOnceKey } from '../change-fields.ts';
import { loadBrand } from '../load-brand.ts';
import { brandPath } from '../frame.ts';
import { isFiltered, readZipFilter } from '../zip-filter.ts';
import { REMOVE_FORMS, removePage, removePreviewPage } from './view.ts';

async function preview(
  visit: MemberVisit,
  brand: Brand,
  { zips, doubts }: PastedZips,
): Promise<AccountContent> {
  const { tenant, brandScope } = visit.caller;
  const removable = await previewRemove(tenant, brand, zips);
  const removed = [...removable.live, ...removable.pending].sort();
  const [effect, lost] = await Promise.all([
    effectOfChange(visit.db, visit.caller, brandScope, brand, { removed }),
    unrestorable(tenant, brand, removed),
  ]);
  const refusal = refusalFor(visit.caller, WRITER);
  const content = { brand, removable, removed, doubts, effect, lost, once: randomUUID(), refusal };
  return removePreviewPage(content, visit.links);
}

export const removeRoute: Page<'account'> = {
  audience: 'account',
  path: REMOVE_FORMS.preview,
  async show(visit, form) {
    const { caller, query, links } = visit;
    const brand = await loadBrand(visit);
    if (form.isUnsent && query.size > 0) {
      return preview(visit, brand, await zipsOfQuery(visit, brand, query));
    }
    return removePage({ brand, form, refusal: refusalFor(caller, WRITER) }, links);
  },
  forms: [
    {
      async submit(visit, fields) {
        const brand = await loadBrand(visit);
        const pasted = await readZips(visit, brand, fields);
        return { page: await preview(visit, brand, pasted) };
      },
    },
    {
      path: REMOVE_FORMS.send,
      needs: 'writer',
      async submit(visit, fields) {
        const brand = await loadBrand(visit);
        const removalId = await removeOnce(visit, brand, fields);
        return { to: `${brandPath(brand)}?${new URLSearchParams({ removed: removalId })}` };
      },
    },
  ],
};

/** Reads ZIP codes, and ranges of those that the brand holds. @throws ServiceError 400 without ZIP codes */
async function readZips(
  { caller: { tenant } }: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
): Promise<PastedZips> {
  // The table of ZIP codes sends a field for each selected row.
  const text = fields.getAll('zips').join('\n');
  const heldZips = async () => [...(await heldZipStatuses(tenant, brand)).keys()];
  const pasted = await readPastedZips(text, heldZips);
  if (pasted.zips.length > 0) return pasted;
  const { zips } = checkedFields({
    zips: (): string[] => {
      const [doubt] = pasted.doubts;
      throw badRequest(
        `Enter the ZIP codes to remove, such as 75201.${doubt ? ` “${doubt.given}”: ${doubt.reason}` : ''}`,
      );
    },
  });
  return { ...pasted, zips };
}

/** Returns the ZIP codes in the address, or those that match its filter. */
async function zipsOfQuery(
  visit: MemberVisit,
  brand: Brand,
  query: URLSearchParams,
): Promise<PastedZips> {
  const filter = readZipFilter(query);
  if (!isFiltered(filter)) return readZips(visit, brand, query);
  const zips = await matchingZips(visit.caller.tenant, brand, filter);
  if (zips.length > 0) return { zips, doubts: [] };
  throw notFound(`${brand.name} holds no ZIP code that matches the filter.`);
}

/** Removes the ZIP codes once, even if the form is submitted twice. @returns the removal's id */
async function removeOnce(
  visit: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
): Promise<string> {
  const { reason } = checkedFields({ reason: () => checkedRemark(fields.get('reason')) });
  const { caller } = visit;
  const { zips } = await readZips(visit, brand, fields);
  const input = { brand: brand.id, zips, reason };
  const { answer } = await caller.tenant.transaction((tx) =>
    answerOnce(tx, { tool: 'page_remove_zips', key: readOnceKey(fields), input }, async () => {
      const { removalId } = await removeZips(tx, caller.actor, brand, { zips, reason });
      return { removalId };
    }),
  );
  return answer.removalId;
}
