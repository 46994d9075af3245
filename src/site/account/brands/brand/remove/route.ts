/** Removing ZIP codes from a brand, after a preview. */
import { randomUUID } from 'node:crypto';
import { changeRefusal, requireChange } from '../../../../../account/access.ts';
import { idempotent } from '../../../../../agent/idempotent.ts';
import type { Operation } from '../../../../../contract/operation.ts';
import { badRequest, notFound } from '../../../../../errors.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { effectOfChange } from '../../../../../territory/effect.ts';
import { matchingZips } from '../../../../../territory/brand-zips.ts';
import { parsePastedZips } from '../../../../../territory/pasted-zips.ts';
import { previewRemove, removeZips } from '../../../../../territory/remove.ts';
import { form } from '../../../../framework/form.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import { page, type Page } from '../../../../framework/page.ts';
import type { MemberVisit, SiteParts } from '../../../../framework/visit.ts';
import { loadFrame } from '../../../load-frame.ts';
import { loadMapBase } from '../../../map/load.ts';
import { checkedRemark, readOnceKey } from '../change-fields.ts';
import { loadBrand } from '../load-brand.ts';
import { brandPath } from '../frame.ts';
import { isFiltered, readZipFilter } from '../zip-filter.ts';
import { REMOVE_FORMS, removePage, removePreviewPage } from './view.ts';

export function removeRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const preview = async (visit: MemberVisit, brand: Brand, zips: readonly string[]) => {
    const { tenant, brandScope } = visit.caller;
    const plan = await previewRemove(tenant, brand, zips);
    const removed = [...plan.live, ...plan.pending].sort();
    const [frame, effect, map] = await Promise.all([
      loadFrame(db, visit),
      effectOfChange(tenant, brandScope, brand, { removed }),
      loadMapBase(tenant, removed),
    ]);
    const refusal = changeRefusal(visit.caller);
    const content = { ...frame, brand, plan, removed, effect, map, once: randomUUID(), refusal };
    return removePreviewPage(content, visit.links);
  };
  const remove: Page<'member'> = {
    audience: 'member',
    path: REMOVE_FORMS.preview,
    async show(visit, state) {
      const { caller, query, links } = visit;
      const brand = await loadBrand(visit);
      if (state.isUnsent && query.size > 0) {
        return preview(visit, brand, await zipsOfQuery(visit, brand, query));
      }
      const frame = await loadFrame(db, visit);
      return removePage({ ...frame, brand, form: state, refusal: changeRefusal(caller) }, links);
    },
  };
  const previewForm = form(
    remove,
    {
      async submit(visit, fields) {
        const { zips } = checkedFields({ zips: () => readZips(fields) });
        return { page: await preview(visit, await loadBrand(visit), zips) };
      },
    },
    parts,
  );
  const send = form(
    remove,
    {
      path: REMOVE_FORMS.send,
      async submit(visit, fields) {
        requireChange(visit.caller);
        const brand = await loadBrand(visit);
        const removalId = await removeOnce(visit, brand, fields);
        return { to: `${brandPath(brand)}?${new URLSearchParams({ removed: removalId })}` };
      },
    },
    parts,
  );
  return [page(remove, parts), previewForm, send];
}

/** @throws ServiceError 400 without ZIP codes */
function readZips(fields: URLSearchParams): string[] {
  // The table of ZIP codes sends one field for each selected row.
  const { zips } = parsePastedZips(fields.getAll('zips').join(' '));
  if (zips.length > 0) return zips;
  throw badRequest('Enter the ZIP codes to remove: five digits each, such as 75201.');
}

/** The ZIP codes in the address, or those that match its filter */
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

/** Removes the ZIP codes once, even if the form is sent twice. @returns the removal's id */
async function removeOnce(
  { caller }: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
): Promise<string> {
  const { reason } = checkedFields({ reason: () => checkedRemark(fields.get('reason')) });
  const zips = readZips(fields);
  const input = { brand: brand.id, zips, reason };
  const { answer } = await caller.tenant.transaction((tx) =>
    idempotent(tx, { tool: 'page_remove_zips', key: readOnceKey(fields), input }, async () => {
      const { removalId } = await removeZips(tx, caller.actor, brand, { zips, reason });
      return { removalId };
    }),
  );
  return answer.removalId;
}
