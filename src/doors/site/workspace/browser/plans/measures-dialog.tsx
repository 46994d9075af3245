/** The measures of the open plan: what its territories share evenly, and the data sets in its totals. */
import { RefusalText, useLoaded } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import { countZips, formatCount } from '../counts.ts';
import { Dialog } from '../controls/dialog.tsx';
import { balancesIn, labelOfBalance } from '../territories/figures.ts';
import { LoadedList } from '../controls/loaded-list.tsx';
import { addData, editPlan, listMeasures, removeData, type PlanMeasure } from './plan-requests.ts';
import { store, type PlanSource } from '../state.ts';
import { useStore } from '../use-store.ts';

interface MeasuresDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

export function MeasuresDialog({ plan, onClose }: MeasuresDialogProps) {
  const { value: measures, refusal, change } = useLoaded(() => listMeasures(plan.id));
  const mayChange = config().refusal === null;
  return (
    <Dialog title={`Measures of ${plan.name}`} onClose={onClose}>
      <RefusalText>{refusal}</RefusalText>
      <Balance plan={plan} change={change} mayChange={mayChange} />
      <h3>Your data</h3>
      <LoadedList
        items={measures}
        refusal={refusal}
        loading="Loading measures…"
        empty="None yet."
        row={(measure) => (
          <DataRow
            key={measure.name}
            measure={measure}
            plan={plan}
            change={change}
            mayChange={mayChange}
          />
        )}
      />
      {mayChange && measures && <Add plan={plan} measures={measures} change={change} />}
    </Dialog>
  );
}

interface PartProps {
  plan: PlanSource;
  change: (work: () => Promise<unknown>) => Promise<void>;
  mayChange: boolean;
}

function Balance({ plan, change, mayChange }: PartProps) {
  const market = useStore((state) => state.market);
  if (!market) return null;
  const balanceBy = (balance: string) =>
    change(async () => {
      const { version } = await editPlan(plan.id, plan.version, { balance });
      const { source } = store.get();
      if (source.kind !== 'plan' || source.id !== plan.id) return;
      store.update({ source: { ...source, version, balance }, balance });
    });
  return (
    <label>
      Balance territories by
      <select
        value={plan.balance}
        disabled={!mayChange}
        onChange={({ currentTarget }) => void balanceBy(currentTarget.value)}
      >
        {balancesIn(market).map((name) => (
          <option key={name} value={name}>
            {labelOfBalance(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function DataRow({ measure, plan, change, mayChange }: PartProps & { measure: PlanMeasure }) {
  const { name, zipCount, total, createdBy, createdAt } = measure;
  const day = new Date(createdAt).toLocaleDateString('en-US', { dateStyle: 'medium' });
  return (
    <li>
      <div>
        <b>{name}</b>
        <span class="quiet small">
          {formatCount(total)} in {countZips(zipCount)}, by {createdBy} on {day}
        </span>
      </div>
      {mayChange && name === plan.balance && (
        <p class="quiet small">
          The territories are balanced by it. To remove it, first choose another measure above.
        </p>
      )}
      {mayChange && name !== plan.balance && (
        <div class="buttons">
          <button
            type="button"
            class="quiet-button"
            aria-label={`Remove ${name}`}
            onClick={() => void change(() => removeData(plan.id, name))}
          >
            Remove
          </button>
        </div>
      )}
    </li>
  );
}

/** Adds one of the organization's data sets, whose amounts the market already has. */
function Add({
  plan,
  measures,
  change,
}: Omit<PartProps, 'mayChange'> & { measures: PlanMeasure[] }) {
  const market = useStore((state) => state.market);
  const used = new Set(measures.map(({ name }) => name));
  const others = [...(market?.dataSets.values() ?? [])].filter(({ name }) => !used.has(name));
  return (
    <div class="addition">
      {others.length > 0 && (
        <label>
          Add to totals, comparisons, and exports
          <select
            value=""
            onChange={({ currentTarget: { value } }) => void change(() => addData(plan.id, value))}
          >
            <option value="">Choose a data set</option>
            {others.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="small">
        <a href={config().paths.data}>Upload your own data</a>, such as jobs or leads, for the whole
        organization.
      </p>
    </div>
  );
}
