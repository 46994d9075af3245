/** The measures of the open plan: what its territories share evenly, and amounts by ZIP code that people upload. */
import { useState } from 'preact/hooks';
import { RefusalText, useLoaded } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import { ConfirmedButton } from '../controls/confirmed-button.tsx';
import { countZips, formatCount } from '../counts.ts';
import { Dialog } from '../controls/dialog.tsx';
import { balancesIn, labelOfBalance } from '../territories/figures.ts';
import { reloadColumns } from '../load.ts';
import { LoadedList } from '../controls/loaded-list.tsx';
import { MAX_NAME } from './plan-name-form.tsx';
import {
  deleteMeasure,
  editPlan,
  listMeasures,
  uploadMeasure,
  type PlanMeasure,
  type UploadReport,
} from './plan-requests.ts';
import { Refusal } from '../requests.ts';
import { store, type PlanSource } from '../state.ts';
import { useStore } from '../use-store.ts';
import { ServiceError } from '../../../../../errors.ts';
import { decodeText } from '../../../../../text/decode-text.ts';

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
      <Balance {...{ plan, change, mayChange }} />
      <h3>Uploaded</h3>
      <LoadedList
        items={measures}
        refusal={refusal}
        loading="Loading measures…"
        empty="None yet. Upload your own amounts by ZIP code, such as jobs or leads."
        row={(measure) => (
          <MeasureRow key={measure.name} {...{ measure, plan, change, mayChange }} />
        )}
      />
      {mayChange && <Upload plan={plan} change={change} />}
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

function MeasureRow({ measure, plan, change, mayChange }: PartProps & { measure: PlanMeasure }) {
  const { name, zipCount, total, createdBy, createdAt } = measure;
  const day = new Date(createdAt).toLocaleDateString('en-US', { dateStyle: 'medium' });
  const remove = async () => {
    await deleteMeasure(plan.id, name);
    await reloadColumns(false);
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
          The territories are balanced by this measure. To delete it, first choose another measure
          above.
        </p>
      )}
      {mayChange && name !== plan.balance && (
        <div class="buttons">
          <ConfirmedButton label="Delete" of={name} act={() => void change(remove)} />
        </div>
      )}
    </li>
  );
}

/** @throws Refusal if the file isn't text */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return decodeText(bytes);
  } catch (error) {
    throw error instanceof ServiceError ? new Refusal(error.status, error.message) : error;
  }
}

function Upload({ plan, change }: Omit<PartProps, 'mayChange'>) {
  const [report, setReport] = useState<UploadReport | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const given = ['name', 'column', 'zipColumn'].map(
      (field) => [field, String(fields.get(field)).trim() || undefined] as const,
    );
    setReport(null);
    setSending(true);
    await change(async () => {
      const csv = await textOf(fields.get('file') as File);
      const replace = fields.has('replace');
      setReport(await uploadMeasure(plan.id, { csv, replace, ...Object.fromEntries(given) }));
      form.reset();
      await reloadColumns(false);
    });
    setSending(false);
  };
  return (
    <form
      class="addition"
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
        <input type="text" name="name" maxLength={MAX_NAME} />
      </label>
      <label>
        Column of the amounts (if several have numbers)
        <input type="text" name="column" maxLength={MAX_NAME} />
      </label>
      <label>
        Column of the ZIP codes (if several have them)
        <input type="text" name="zipColumn" maxLength={MAX_NAME} />
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

/** Maximum number of rows that are shown. The others are only counted. */
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
        {outsideMarket > 0 &&
          ` ${countZips(outsideMarket)} outside the market ${outsideMarket === 1 ? 'was' : 'were'} ignored.`}
      </p>
      {rejected > 0 && (
        <>
          <p class="small">
            {rejected === 1 ? '1 row was' : `${formatCount(rejected)} rows were`} ignored:
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
