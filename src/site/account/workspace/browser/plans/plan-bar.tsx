/**
 * Shows which territories are being edited, the brands' live ones or a plan's, with the actions on plans.
 */
import { useState } from 'preact/hooks';
import { ApplyDialog } from './apply-dialog.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { config } from '../config.ts';
import { isEdited } from '../territories/editing.ts';
import { ExportDialog } from './export-dialog.tsx';
import { MeasuresDialog } from './measures-dialog.tsx';
import { openLive } from './open-plan.ts';
import { PlansDialog } from './plans-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { useStore } from '../use-store.ts';

type Opened = 'plans' | 'compare' | 'apply' | 'export' | 'measures' | 'share' | null;

export function PlanBar() {
  const [opened, setOpened] = useState<Opened>(null);
  const source = useStore((state) => state.source);
  const market = useStore((state) => state.market);
  const hasChanges = useStore(isEdited);
  if (!market) return null;
  const { planRefusal, refusal } = config();
  const close = () => setOpened(null);
  const opener = (dialog: Opened, label: string) => (
    <button type="button" class="quiet-button" onClick={() => setOpened(dialog)}>
      {label}
    </button>
  );
  const plan = source.kind === 'plan' ? source : null;
  return (
    <section class="plan-bar" aria-label="Plan">
      <p class="small quiet">
        {plan
          ? 'Plan. Nothing goes live until you apply it and a reviewer approves the additions.'
          : 'Live territories'}
      </p>
      {planRefusal !== null ? (
        <p class="small">Plans aren’t available. {planRefusal}</p>
      ) : (
        <div class="buttons">
          {opener('plans', 'Plans…')}
          {opener('compare', 'Compare…')}
          {plan && refusal === null && (
            <button
              type="button"
              class="quiet-button"
              disabled={hasChanges}
              title={hasChanges ? 'Save the plan first' : undefined}
              onClick={() => setOpened('apply')}
            >
              Apply…
            </button>
          )}
          {plan && opener('measures', 'Measures…')}
          {plan && opener('export', 'Export…')}
          {plan && opener('share', 'Share…')}
          {plan && (
            <button type="button" class="quiet-button" onClick={() => void openLive()}>
              Back to live
            </button>
          )}
        </div>
      )}
      {opened === 'plans' && <PlansDialog onClose={close} />}
      {opened === 'compare' && <CompareDialog onClose={close} />}
      {opened === 'apply' && plan && <ApplyDialog plan={plan} onClose={close} />}
      {opened === 'measures' && plan && <MeasuresDialog plan={plan} onClose={close} />}
      {opened === 'export' && plan && <ExportDialog plan={plan} onClose={close} />}
      {opened === 'share' && plan && <ShareDialog plan={plan} onClose={close} />}
    </section>
  );
}
