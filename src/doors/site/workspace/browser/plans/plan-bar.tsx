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
import { Menu } from '../controls/menu.tsx';
import { savePlan } from '../saving/save-plan.ts';
import { store } from '../state.ts';
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
  const plan = source.kind === 'plan' ? source : null;
  const opener = (dialog: Opened, label: string) => (
    <button
      type="button"
      class={plan ? 'menu-item' : 'quiet-button'}
      onClick={() => setOpened(dialog)}
    >
      {label}
    </button>
  );
  /** What is applied is the saved plan. */
  const apply = async () => {
    if (hasChanges) await savePlan();
    if (!isEdited(store.get())) setOpened('apply');
  };
  return (
    <section class="plan-bar" aria-label="Plan">
      <p class="small quiet">
        {plan
          ? 'Plan. Nothing goes live until you apply it and a reviewer approves the additions.'
          : 'Live territories'}
      </p>
      {planRefusal !== null ? (
        <p class="small">Plans aren’t available. {planRefusal}</p>
      ) : plan ? (
        <div class="buttons">
          {refusal === null && (
            <button type="button" class="button" onClick={() => void apply()}>
              {hasChanges ? 'Save and apply…' : 'Apply…'}
            </button>
          )}
          <Menu label="More">
            {[
              opener('compare', 'Compare…'),
              opener('share', 'Share…'),
              opener('export', 'Export…'),
              opener('measures', 'Measures…'),
              opener('plans', 'All plans…'),
              <button type="button" class="menu-item" onClick={() => void openLive()}>
                Back to live territories
              </button>,
            ]}
          </Menu>
        </div>
      ) : (
        <div class="buttons">
          {opener('plans', 'Plans…')}
          {opener('compare', 'Compare…')}
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
