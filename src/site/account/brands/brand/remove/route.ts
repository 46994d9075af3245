/** Removes ZIP codes from a brand, after a preview. */
import { randomUUID } from 'node:crypto';
import { changeRefusal, requireChange } from '../../../../../account/access.ts';
import { answerOnce } from '../../../../../agent/idempotent.ts';
import { badRequest, notFound } from '../../../../../errors.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { effectOfChange } from '../../../../../territory/effect.ts';
import { matchingZips } from '../../../../../territory/brand-zips.ts';
import { parsePastedZips } from '../../../../../territory/pasted-zips.ts';
import { previewRemove, removeZips } from '../../../../../territory/remove.ts';
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
  zips: readonly string[],
): Promise<AccountContent> {
  const { tenant, brandScope } = visit.caller;
  const plan = await previewRemove(tenant, brand, zips);
  const removed = [...plan.live, ...plan.pending].sort();
  const effect = await effectOfChange(visit.db, visit.caller, brandScope, brand, { removed });
  const refusal = changeRefusal(visit.caller);
  const content = { brand, plan, removed, effect, once: randomUUID(), refusal };
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
    return removePage({ brand, form, refusal: changeRefusal(caller) }, links);
  },
  forms: [
    {
      async submit(visit, fields) {
        const { zips } = checkedFields({ zips: () => readZips(fields) });
        return { page: await preview(visit, await loadBrand(visit), zips) };
      },
    },
    {
      path: REMOVE_FORMS.send,
      async submit(visit, fields) {
        requireChange(visit.caller);
        const brand = await loadBrand(visit);
        const removalId = await removeOnce(visit, brand, fields);
        return { to: `${brandPath(brand)}?${new URLSearchParams({ removed: removalId })}` };
      },
    },
  ],
};

/** @throws ServiceError 400 without ZIP codes */
function readZips(fields: URLSearchParams): string[] {
  // The table of ZIP codes sends a field for each selected row.
  const { zips } = parsePastedZips(fields.getAll('zips').join(' '));
  if (zips.length > 0) return zips;
  throw badRequest('Enter the ZIP codes to remove: five digits each, such as 75201.');
}

/** Returns the ZIP codes in the address, or those that match its filter */
async function zipsOfQuery(
  { caller: { tenant } }: MemberVisit,
  brand: Brand,
  query: URLSearchParams,
): Promise<string[]> {
  const filter = readZipFilter(query);
  if (!isFiltered(filter)) return readZips(query);
  const zips = await matchingZips(tenant, brand, filter);
  if (zips.length > 0) return zips;
  throw notFound(`${brand.name} holds no ZIP code that matches the filter.`);
}

/** Removes the ZIP codes once, even if the form is submitted twice. @returns the removal's id */
async function removeOnce(
  { caller }: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
): Promise<string> {
  const { reason } = checkedFields({ reason: () => checkedRemark(fields.get('reason')) });
  const zips = readZips(fields);
  const input = { brand: brand.id, zips, reason };
  const { answer } = await caller.tenant.transaction((tx) =>
    answerOnce(tx, { tool: 'page_remove_zips', key: readOnceKey(fields), input }, async () => {
      const { removalId } = await removeZips(tx, caller.actor, brand, { zips, reason });
      return { removalId };
    }),
  );
  return answer.removalId;
}
