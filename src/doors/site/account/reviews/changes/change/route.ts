/** Shows a change with its effect and its map, and decides, moves, withdraws, and undoes it. */
import {
  isReviewer,
  REVIEWERS,
  refusalFor,
  WRITER,
} from '../../../../../../people/account/access.ts';
import { badRequest } from '../../../../../../errors.ts';
import { changeDay } from '../../../../../../territories/brands/changes/day.ts';
import {
  approveChange,
  rejectChange,
  type LeftOut,
} from '../../../../../../territories/brands/changes/decide.ts';
import { moveChange } from '../../../../../../territories/brands/changes/move.ts';
import {
  findChange,
  isOpen,
  type Change,
} from '../../../../../../territories/brands/changes/read.ts';
import { obstacles, openParts } from '../../../../../../territories/brands/changes/settle.ts';
import { reverseOf, undoChange } from '../../../../../../territories/brands/changes/undo.ts';
import { withdrawChange } from '../../../../../../territories/brands/changes/withdraw.ts';
import { effectOfChange } from '../../../../../../territories/brands/effect.ts';
import { extentOfZips } from '../../../../../../territories/brands/map-zips.ts';
import { zipsInRanges } from '../../../../../../territories/brands/import/zip-states.ts';
import { readPastedZips } from '../../../../../../territories/brands/pasted-zips.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import type { Form, Page } from '../../../../framework/page.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { Notice } from '../../../../notices.ts';
import { loadMapSources } from '../../../map/load.ts';
import { changeAddress, CHANGES_PATH } from '../words.ts';
import { CHANGE_FORMS, CHANGE_MAP, CHANGE_PATH, changePage } from './view.ts';

/** Largest number of brands whose effect is measured, because each measures the borders of the country */
const MAX_MEASURED = 5;

export const changeRoute: Page<'account'> = {
  audience: 'account',
  path: CHANGE_PATH,
  async show(visit, form) {
    const { db, caller, params, links } = visit;
    const { tenant, brandScope } = caller;
    const change = await findChange(tenant, brandScope, params.change!);
    const zips = [...new Set(change.parts.flatMap(({ added, removed }) => [...added, ...removed]))];
    const effects: Awaited<ReturnType<typeof effectOfChange>>[] = [];
    if (isOpen(change) && change.parts.length <= MAX_MEASURED) {
      // One after another, because each measures the borders of the country.
      for (const { brand, added, removed } of change.parts) {
        const parts = { added, removed, countsPending: false };
        effects.push(await effectOfChange(db, caller, brandScope, brand, parts));
      }
    }
    const [extent, sources, reasons, changedSince] = await Promise.all([
      zips.length > 0 ? extentOfZips(tenant.common, zips) : null,
      loadMapSources(visit),
      obstaclesOf(visit, change),
      changedSinceOf(visit, change),
    ]);
    const map = extent && {
      ...extent,
      ...sources,
      data: links.page(changeAddress(change, CHANGE_MAP)),
    };
    return changePage(
      {
        form,
        change,
        effects,
        obstacles: reasons,
        changedSince,
        map,
        mayReview: isReviewer(caller),
        isAuthor: caller.actor.id === change.madeBy.id,
        refusal: refusalFor(caller, WRITER),
      },
      links,
    );
  },
  forms: [
    {
      ...changeForm(CHANGE_FORMS.approve, 'change-approved', async ({ caller, params }, fields) => {
        const leftOut = await readLeftOut(caller.tenant, caller.brandScope, params.change!, fields);
        const { status } = await caller.tenant.transaction((tx) =>
          approveChange(tx, caller, params.change!, leftOut),
        );
        return status === 'scheduled' ? 'change-scheduled' : undefined;
      }),
      roles: REVIEWERS,
    },
    {
      ...changeForm(CHANGE_FORMS.reject, 'change-rejected', async ({ caller, params }, fields) => {
        const { reason } = checkedFields({ reason: () => required(fields, 'reason') });
        await caller.tenant.transaction((tx) => rejectChange(tx, caller, params.change!, reason));
      }),
      roles: REVIEWERS,
    },
    changeForm(CHANGE_FORMS.move, 'change-moved', async ({ caller, params }, fields) => {
      const day = (fields.get('on') ?? '').trim();
      const on = day === '' ? null : await changeDay(caller.tenant, day);
      await caller.tenant.transaction((tx) => moveChange(tx, caller, params.change!, on));
    }),
    changeForm(CHANGE_FORMS.withdraw, 'change-withdrawn', async ({ caller, params }) => {
      await caller.tenant.transaction((tx) => withdrawChange(tx, caller, params.change!));
    }),
    changeForm(CHANGE_FORMS.undo, 'change-undone', async ({ caller, params }) => {
      await caller.tenant.transaction((tx) => undoChange(tx, caller, params.change!));
    }),
  ],
};

/** @param work does what the form asks for. It may return another notice */
function changeForm(
  path: string,
  notice: Notice,
  work: (visit: MemberVisit, fields: URLSearchParams) => Promise<Notice | undefined | void>,
): Form<'account'> {
  return {
    path,
    ...WRITER,
    async submit(visit, fields) {
      const other = await work(visit, fields);
      return { to: `${CHANGES_PATH}/${visit.params.change!}`, notice: other ?? notice };
    },
  };
}

function required(fields: URLSearchParams, name: string): string {
  const text = (fields.get(name) ?? '').trim();
  if (text !== '') return text;
  throw badRequest('Enter a reason. The requester sees it.');
}

/** Reads which ZIP codes stay out of the change, for each of its brands that they concern. */
async function readLeftOut(
  tenant: MemberVisit['caller']['tenant'],
  scope: MemberVisit['caller']['brandScope'],
  id: string,
  fields: URLSearchParams,
): Promise<LeftOut[]> {
  const { zips, doubts } = await readPastedZips(fields.get('leaveOut') ?? '', (ranges) =>
    zipsInRanges(tenant, ranges),
  );
  const { parts } = await findChange(tenant, scope, id);
  const { leaveOutReason: reason } = checkedFields({
    leaveOut: () => {
      const [doubt] = doubts;
      if (doubt) throw badRequest(`“${doubt.given}”: ${doubt.reason}`);
      const inChange = new Set(parts.flatMap(({ added, removed }) => [...added, ...removed]));
      const foreign = zips.find((zip) => !inChange.has(zip));
      if (foreign) throw badRequest(`${foreign} isn’t part of this change.`);
    },
    leaveOutReason: () => (zips.length === 0 ? '' : required(fields, 'leaveOutReason')),
  });
  return parts.flatMap(({ brand, added, removed }) =>
    zips
      .filter((zip) => added.includes(zip) || removed.includes(zip))
      .map((zip) => ({ brandId: brand.id, zip, reason })),
  );
}

/** What would keep an open change from going live */
async function obstaclesOf({ caller: { tenant, brandScope } }: MemberVisit, change: Change) {
  if (!isOpen(change)) return [];
  const on =
    change.on !== null && change.dueAt! > new Date() ? { day: change.on, at: change.dueAt! } : null;
  const time = { on, change: change.id, countsPlanned: true };
  return obstacles(tenant, brandScope, await openParts(tenant, change.id), time);
}

/** ZIP codes that an undo would leave as they are; null if the viewer can't undo the change */
async function changedSinceOf({ caller }: MemberVisit, change: Change): Promise<string[] | null> {
  if (change.status !== 'live' || change.otherBrands > 0) return null;
  return reverseOf(caller.tenant, caller, change.id).then(
    ({ changedSince }) => changedSince,
    () => null,
  );
}
