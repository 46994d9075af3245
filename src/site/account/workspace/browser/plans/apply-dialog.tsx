/** Applies a plan: shows the changes for each brand, then requests ZIP codes for review and removes others. */
import { useEffect, useState } from 'preact/hooks';
import { RefusalText, useAttempt } from '../controls/attempt.tsx';
import { config, pathWith } from '../config.ts';
import { Dialog } from '../controls/dialog.tsx';
import { applyPlan, type PlanApplication } from './plan-requests.ts';
import type { PlanSource } from '../state.ts';

interface ApplyDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

export function ApplyDialog({ plan, onClose }: ApplyDialogProps) {
  const [application, setApplication] = useState<PlanApplication | null>(null);
  const { attempt, isWorking, refusal } = useAttempt();
  const ask = (confirm: boolean) =>
    attempt(async () => setApplication(await applyPlan(plan.id, plan.version, confirm)));
  useEffect(() => void ask(false), []);
  const price = config().prices.apply;
  const changes = application?.changes ?? [];
  const total = (of: 'additions' | 'removals') =>
    changes.reduce((sum, change) => sum + change[of].length, 0);
  const isNothing = application !== null && total('additions') + total('removals') === 0;
  const isApplied = application?.status === 'applied';
  return (
    <Dialog title={isApplied ? 'Applied' : `Apply ${plan.name}`} onClose={onClose}>
      <RefusalText>{refusal}</RefusalText>
      {application === null && refusal === null && (
        <p role="status">Comparing with the live territories…</p>
      )}
      {application && (
        <>
          <p role="status">{summary(application, total('additions'), total('removals'))}</p>
          <table class="apply">
            <thead>
              <tr>
                <th scope="col">Brand</th>
                <th scope="col" class="number">
                  To review
                </th>
                <th scope="col" class="number">
                  Removed
                </th>
                <th scope="col" class="number">
                  Kept
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ brand, brandName, territory, additions, removals, kept }) => (
                <tr key={brand}>
                  <th scope="row">
                    <a href={pathWith(config().paths.brand, brand)}>{brandName}</a>
                    {territory !== brandName && <span class="quiet small">{territory}</span>}
                  </th>
                  <td class="number">{countOf(additions.length)}</td>
                  <td class="number">{countOf(removals.length)}</td>
                  <td class="number">{countOf(kept)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {changes.flatMap(({ brand, brandName, refused }) =>
            refused.map(({ reason, zips: some }) => (
              <p key={`${brand} ${reason}`} class="notice">
                {brandName} can’t request {zips(some.length)}, {reason}: {listed(some)}.
              </p>
            )),
          )}
        </>
      )}
      <footer>
        <p class="quiet small">
          {isApplied
            ? 'Removals can be undone on the page of each brand, under History.'
            : `${price === 1 ? '1 unit' : `${price} units`}. A reviewer approves or rejects additions. Removals take effect immediately and can be undone for each brand.`}
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

const countOf = (n: number) => n.toLocaleString('en-US');
const zips = (n: number) => `${countOf(n)} ${n === 1 ? 'ZIP code' : 'ZIP codes'}`;

/** Largest number of ZIP codes that a sentence lists */
const LISTED = 12;

const listed = (some: readonly string[]) =>
  some.length <= LISTED
    ? some.join(', ')
    : `${some.slice(0, LISTED).join(', ')}, and ${countOf(some.length - LISTED)} more`;

function summary({ status, changes }: PlanApplication, added: number, removed: number): string {
  if (added + removed === 0) {
    return changes.some(({ refused }) => refused.length > 0)
      ? 'There is nothing to apply.'
      : 'The brands already hold the ZIP codes of the plan.';
  }
  return status === 'applied'
    ? `${zips(added)} went to review, and ${zips(removed)} ${removed === 1 ? 'was' : 'were'} removed.`
    : `${zips(added)} would go to review, and ${zips(removed)} would be removed.`;
}
