/** Applies a plan: shows the changes for each brand, then requests ZIP codes for review and removes others. */
import { sum } from 'd3-array';
import { useEffect, useState } from 'preact/hooks';
import { RefusalText, useAttempt } from '../controls/attempt.tsx';
import { config, pathWith } from '../config.ts';
import { DayField, longDay, whenText } from '../controls/day-field.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { countZips, formatCount, namedZips } from '../counts.ts';
import { TerritorySwatch } from '../map/swatch.tsx';
import { applyPlan, type PlanApplication } from './plan-requests.ts';
import type { PlanSource } from '../state.ts';

interface ApplicationProps {
  application: PlanApplication;
}

interface ApplyDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

export function ApplyDialog({ plan, onClose }: ApplyDialogProps) {
  const [application, setApplication] = useState<PlanApplication | null>(null);
  const [on, setOn] = useState('');
  const { attempt, isWorking, refusal } = useAttempt();
  const ask = (confirm: boolean) =>
    attempt(async () => setApplication(await applyPlan(plan.id, plan.version, { confirm, on })));
  useEffect(() => void ask(false), [on]);
  const price = config().prices.apply;
  const changes = application?.changes ?? [];
  const total = (of: 'additions' | 'removals') => sum(changes, (change) => change[of].length);
  const isNothing = application !== null && total('additions') + total('removals') === 0;
  const isApplied = application?.status === 'applied';
  return (
    <Dialog title={isApplied ? 'Applied' : `Apply ${plan.name}`} onClose={onClose}>
      {!isApplied && <DayField value={on} onChange={setOn} />}
      <RefusalText>{refusal}</RefusalText>
      {application === null && refusal === null && (
        <p role="status">Comparing with the live territories…</p>
      )}
      {application && (
        <>
          <p role="status">{summary(application, total('additions'), total('removals'))}</p>
          <WithoutBrand application={application} />
          <BrandTable application={application} />
          <InOtherChanges zips={application.inOtherChanges} />
          {changes.flatMap(({ brand, brandName, refused }) =>
            refused.map(({ reason, zips: some }) => (
              <p key={`${brand} ${reason}`} class="notice">
                {brandName} can’t request {countZips(some.length)}, {reason}: {namedZips(some)}.
              </p>
            )),
          )}
        </>
      )}
      <footer>
        <p class="quiet small">
          {isApplied
            ? application.next
            : `${price === 1 ? '1 unit' : `${price} units`}. ${whenText(on, application?.goesLive !== true)} It can be undone as one.`}
        </p>
        <div class="buttons">
          {isApplied ? (
            <button type="button" class="button" onClick={onClose}>
              Done
            </button>
          ) : (
            <button
              type="button"
              class="button"
              disabled={application === null || isNothing || isWorking}
              onClick={() => void ask(true)}
            >
              {isWorking && application !== null ? 'Applying…' : 'Apply'}
            </button>
          )}
        </div>
      </footer>
    </Dialog>
  );
}

/** What stays with its brand, because someone else’s change that waits includes it */
function InOtherChanges({ zips }: { zips: readonly string[] }) {
  if (zips.length === 0) return null;
  return (
    <p class="notice">
      {countZips(zips.length)} stay as they are, because another change that waits includes{' '}
      {zips.length === 1 ? 'it' : 'them'}: {namedZips(zips)}.
    </p>
  );
}

/** The territories that stay out of the change, which is easily most of a plan */
function WithoutBrand({ application: { withoutBrand, changes, status } }: ApplicationProps) {
  if (withoutBrand.length === 0) return null;
  const left = sum(withoutBrand, ({ zips }) => zips.length);
  const going = sum(
    changes,
    ({ kept, additions, refused }) =>
      kept + additions.length + sum(refused, ({ zips }) => zips.length),
  );
  return (
    <div class="notice">
      <p>
        {formatCount(left)} of the plan’s {countZips(left + going)}{' '}
        {status === 'applied' ? 'didn’t go' : 'won’t go'} live, because{' '}
        {withoutBrand.length === 1 ? 'this territory has' : 'these territories have'} no brand:
      </p>
      <ul>
        {withoutBrand.map(({ number, name, zips }) => (
          <li key={number}>
            <TerritorySwatch number={number} /> {name}, {countZips(zips.length)}
          </li>
        ))}
      </ul>
      {status === 'preview' && <p>To include them, choose a brand in their rows of the panel.</p>}
    </div>
  );
}

/** What each brand gets and gives up, and what it has until the change goes live */
function BrandTable({ application: { changes, untouched, goesLive } }: ApplicationProps) {
  const labels = goesLive
    ? ['Removed', 'Added', 'Live afterward']
    : ['Removed', 'To review', 'Live until then', 'Live afterward'];
  const brandCell = (slug: string, name: string, more: string | null) => (
    <th scope="row">
      <a href={pathWith(config().paths.brand, slug)}>{name}</a>
      {more !== null && <span class="quiet small">{more}</span>}
    </th>
  );
  return (
    <div class="apply">
      <table>
        <thead>
          <tr>
            <th scope="col">Brand</th>
            {labels.map((label) => (
              <th key={label} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ brand, brandName, territory, additions, removals, ...change }) => (
            <tr key={brand}>
              {brandCell(brand, brandName, territory === brandName ? null : territory)}
              <td class="number">{formatCount(removals.length)}</td>
              <td class="number">{formatCount(additions.length)}</td>
              {!goesLive && <td class="number">{formatCount(change.liveMeanwhile)}</td>}
              <td class="number">{formatCount(change.kept + additions.length)}</td>
            </tr>
          ))}
          {untouched.map(({ brand, brandName, zipCount }) => (
            <tr key={brand}>
              {brandCell(brand, brandName, 'not in the plan')}
              <td class="number">–</td>
              <td class="number">–</td>
              {!goesLive && <td class="number">{formatCount(zipCount)}</td>}
              <td class="number">{formatCount(zipCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function summary(
  { status, changes, goesLive, change }: PlanApplication,
  added: number,
  removed: number,
): string {
  if (added + removed === 0) {
    return changes.some(({ refused }) => refused.length > 0)
      ? 'There is nothing to apply.'
      : 'The brands already hold the ZIP codes of the plan.';
  }
  if (status === 'preview') {
    const where = goesLive ? 'live' : 'to review';
    return `${countZips(added)} would go ${where}, and ${countZips(removed)} would be removed.`;
  }
  const [went, gone] = [countZips(added), countZips(removed)];
  if (change?.status === 'scheduled') {
    return `${went} go live, and ${gone} will be removed, on ${longDay(change.on!)}.`;
  }
  const where = change?.status === 'live' ? 'live' : 'to review';
  // Without an id, nothing waits for anything else: requests wait for a review, and removals took effect.
  return change?.status === 'waiting' && change.id !== null
    ? `${went} went to review, and ${gone} will be removed when a reviewer approves the change.`
    : `${went} went ${where}, and ${gone} ${removed === 1 ? 'was' : 'were'} removed.`;
}
