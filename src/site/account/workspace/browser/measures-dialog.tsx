/** The measures of the open plan: what its territories share evenly, and amounts by ZIP code that people upload. */
import { useEffect, useState } from 'preact/hooks';
import { config } from './config.ts';
import { countZips, formatCount } from './counts.ts';
import { Dialog } from './dialog.tsx';
import { balancesIn, labelOfBalance } from './figures.ts';
import { reloadColumns } from './load.ts';
import {
  deleteMeasure,
  editPlan,
  listMeasures,
  uploadMeasure,
  type PlanMeasure,
  type UploadReport,
} from './plan-requests.ts';
import { messageOf } from './requests.ts';
import { store, type PlanSource } from './state.ts';
import { useStore } from './use-store.ts';

interface MeasuresDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

type Act = (work: () => Promise<unknown>) => Promise<void>;

export function MeasuresDialog({ plan, onClose }: MeasuresDialogProps) {
  const [measures, setMeasures] = useState<PlanMeasure[] | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const mayChange = config().refusal === null;
  const act: Act = async (work) => {
    setRefusal(null);
    try {
      await work();
      setMeasures(await listMeasures(plan.id));
    } catch (error) {
      setRefusal(messageOf(error));
    }
  };
  useEffect(() => void act(async () => {}), []);
  return (
    <Dialog title={`Measures of ${plan.name}`} onClose={onClose}>
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <Balance plan={plan} act={act} mayChange={mayChange} />
      <h3>Uploaded</h3>
      {measures === null && refusal === null && <p role="status">Loading measures…</p>}
      {measures?.length === 0 && (
        <p class="quiet small">
          None yet. Upload your own amounts by ZIP code, such as jobs or leads.
        </p>
      )}
      {measures && measures.length > 0 && (
        <ul class="plans">
          {measures.map((measure) => (
            <MeasureRow key={measure.name} {...{ measure, plan, act, mayChange }} />
          ))}
        </ul>
      )}
      {mayChange && <Upload plan={plan} act={act} />}
    </Dialog>
  );
}

interface PartProps {
  plan: PlanSource;
  act: Act;
  mayChange: boolean;
}

function Balance({ plan, act, mayChange }: PartProps) {
  const market = useStore((state) => state.market);
  if (!market) return null;
  const change = (balance: string) =>
    act(async () => {
      const { version } = await editPlan(plan.id, plan.version, { balance });
      const { source } = store.get();
      if (source.kind !== 'plan' || source.id !== plan.id) return;
      store.update({ source: { ...source, version, balance }, balance });
    });
  return (
    <label>
      The territories share evenly
      <select
        value={plan.balance}
        disabled={!mayChange}
        onChange={({ currentTarget }) => void change(currentTarget.value)}
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

function MeasureRow({ measure, plan, act, mayChange }: PartProps & { measure: PlanMeasure }) {
  const [isAsked, setAsked] = useState(false);
  const { name, zipCount, total, createdBy, createdAt } = measure;
  const day = new Date(createdAt).toLocaleDateString('en-US', { dateStyle: 'medium' });
  const remove = () => {
    setAsked(false);
    return act(async () => {
      await deleteMeasure(plan.id, name);
      await reloadColumns(false);
    });
  };
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
          The territories share it. Choose another measure above to delete it.
        </p>
      )}
      {mayChange && name !== plan.balance && (
        <div class="buttons">
          {isAsked ? (
            <>
              <span class="small">Delete it for everyone?</span>
              <button type="button" class="quiet-button" onClick={() => void remove()}>
                Delete
              </button>
              <button type="button" class="quiet-button" onClick={() => setAsked(false)}>
                Keep
              </button>
            </>
          ) : (
            <button
              type="button"
              class="quiet-button"
              aria-label={`Delete ${name}`}
              onClick={() => setAsked(true)}
            >
              Delete
            </button>
          )}
        </div>
      )}
    </li>
  );
}

function Upload({ plan, act }: Omit<PartProps, 'mayChange'>) {
  const [report, setReport] = useState<UploadReport | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const name = String(fields.get('name')).trim();
    const csv = await (fields.get('file') as File).text();
    setReport(null);
    setSending(true);
    await act(async () => {
      const replace = fields.has('replace');
      setReport(await uploadMeasure(plan.id, { csv, replace, ...(name !== '' && { name }) }));
      form.reset();
      await reloadColumns(false);
    });
    setSending(false);
  };
  return (
    <form
      class="new-plan"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) void send(event.currentTarget);
      }}
    >
      <h3>Upload a measure</h3>
      <label>
        CSV file with a column of ZIP codes and a column of amounts
        <input type="file" name="file" accept=".csv,.tsv,.txt,text/csv" required />
      </label>
      <label>
        Name (default: the heading of the amounts)
        <input type="text" name="name" maxLength={120} />
      </label>
      <label class="choice">
        <input type="checkbox" name="replace" />
        <span>Replace the measure of the same name</span>
      </label>
      {report && <Report report={report} />}
      <div class="buttons">
        <button type="submit" class="button" disabled={isSending}>
          {isSending ? 'Uploading…' : 'Upload'}
        </button>
      </div>
    </form>
  );
}

/** Rows that are shown; the others are counted. */
const SHOWN = 5;

function Report({ report }: { report: UploadReport }) {
  const { name, total, zipCount, summary, withoutAmount, outsideMarket, rejected } = report;
  const problems = report.findings.filter(({ outcome }) => outcome !== 'guessed');
  const missing = withoutAmount.length;
  return (
    <div role="status">
      <p class="small">
        {name}: {formatCount(total)} in {countZips(zipCount)}. {summary}
        {missing > 0 && ` ${countZips(missing)} of the market without an amount count as 0.`}
        {outsideMarket > 0 && ` ${countZips(outsideMarket)} of other markets are left out.`}
      </p>
      {rejected > 0 && (
        <>
          <p class="small">
            {rejected === 1 ? '1 row doesn’t' : `${formatCount(rejected)} rows don’t`} count:
          </p>
          <ul class="small">
            {problems.slice(0, SHOWN).map(({ line, given, reason }) => (
              <li key={line}>
                Line {line}, {given}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
