/** A proposal or a comparison, in place of the territories: the differences, and which are accepted. */
import { useMemo, useState } from 'preact/hooks';
import { territoriesByZip, type Draft, type DraftTerritory } from './draft.ts';
import { editDraft, isEdited } from './editing.ts';
import {
  balancedFigure,
  balancesIn,
  effectOf,
  figuresIn,
  labelOfBalance,
  type TerritoryEffect,
} from './figures.ts';
import { fileName } from './file-name.ts';
import type { Market } from './market.ts';
import { formatMeasure, scoreOf } from './measures.ts';
import { openAsPlan } from './open-plan.ts';
import { PaidPicture } from './paid-picture.tsx';
import {
  changesByTerritory,
  changesOf,
  decide,
  shownDraft,
  type Change,
  type Proposal,
  type TerritoryChanges,
} from './proposal.ts';
import { messageOf } from './requests.ts';
import { store } from './state.ts';
import { TerritorySwatch } from './swatch.tsx';
import { useStore } from './use-store.ts';

export function ProposalPanel({ proposal, market }: { proposal: Proposal; market: Market }) {
  const { kind, title, notes, base, draft, declined, balance, vertical } = proposal;
  const source = useStore((state) => state.source);
  const changes = useMemo(() => changesOf(base, draft), [base, draft]);
  const groups = useMemo(() => changesByTerritory(base, draft), [base, draft]);
  const figures = useMemo(() => figuresIn(market, scoreOf(vertical)), [market, vertical]);
  const shown = shownDraft({ draft: base, proposal });
  const effects = useMemo(
    () =>
      new Map(
        effectOf(market, figures, balance, withZips(base), withZips(shown)).map((effect) => [
          effect.number,
          effect,
        ]),
      ),
    [market, figures, balance, base, shown],
  );
  const names = useMemo(() => namesOf([...base.territories, ...draft.territories]), [base, draft]);
  const assigned = useMemo(() => territoriesByZip(draft), [draft]);
  const accepted = changes.filter(({ zip }) => !declined.has(zip)).length;
  return (
    <section class="proposal" aria-labelledby="proposal-title">
      <h2 id="proposal-title" tabindex={-1} ref={focusOnce}>
        {title}
      </h2>
      {notes.map((note) => (
        <p key={note} class="small">
          {note}
        </p>
      ))}
      <p class="small" role="status">
        {changes.length === 0
          ? 'Nothing changes.'
          : `${countOf(changes.length)} ${changes.length === 1 ? 'ZIP code changes' : 'ZIP codes change'} hands${
              accepted < changes.length ? `, ${countOf(accepted)} accepted` : ''
            }.`}{' '}
        {changes.length > 0 && 'They are outlined on the map.'}
      </p>
      {kind === 'comparison' ? (
        <Comparison proposal={proposal} market={market} />
      ) : (
        <Decisions
          proposal={proposal}
          accepted={accepted}
          isPlan={source.kind === 'plan'}
          isNew={shown.territories.some(({ brand, zips }) => brand === null && zips.size > 0)}
          suggestedName={`${market.label}: ${title}`}
        />
      )}
      <ul class="differences">
        {groups.map((group) => (
          <Difference
            key={group.territory?.number ?? 0}
            {...{ group, proposal, market, names, assigned }}
            effect={effects.get(group.territory?.number ?? 0)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Empty territories aren't part of the mean. */
const withZips = ({ territories }: Draft): Draft => ({
  territories: territories.filter(({ zips }) => zips.size > 0),
});

/** Moves the focus to the new content, so that keyboards and screen readers follow. */
const focused = new WeakSet<HTMLElement>();
function focusOnce(element: HTMLElement | null): void {
  if (!element || focused.has(element)) return;
  focused.add(element);
  element.focus();
}

const countOf = (n: number) => n.toLocaleString('en-US');

const namesOf = (territories: readonly DraftTerritory[]): ReadonlyMap<number, string> =>
  new Map(territories.map(({ number, name }) => [number, name]));

const close = () => store.update({ proposal: null });

/** What the territories are measured by, and the picture of the difference */
function Comparison({ proposal, market }: { proposal: Proposal; market: Market }) {
  const { title, balance, picture } = proposal;
  const hasChanges = useStore(isEdited);
  return (
    <>
      <label class="measured-by">
        Measured by
        <select
          value={balance}
          onChange={({ currentTarget: { value } }) =>
            store.update({ proposal: { ...proposal, balance: value } })
          }
        >
          {balancesIn(market).map((name) => (
            <option key={name} value={name}>
              {labelOfBalance(name)}
            </option>
          ))}
        </select>
      </label>
      {picture !== undefined && (
        <PaidPicture
          path={picture}
          name={fileName(title, 'png')}
          label="Draw a picture"
          alt={`Map of the difference: ${title}`}
        />
      )}
      {picture !== undefined && hasChanges && (
        <p class="quiet small">Unsaved changes aren’t in the picture.</p>
      )}
      <div class="buttons">
        <button type="button" class="quiet-button" onClick={close}>
          Close the comparison
        </button>
      </div>
    </>
  );
}

interface DecisionsProps {
  proposal: Proposal;
  /** Number of accepted changes */
  accepted: number;
  isPlan: boolean;
  /** Whether a territory lacks a brand, so that it can't be live */
  isNew: boolean;
  suggestedName: string;
}

function Decisions({ proposal, accepted, isPlan, isNew, suggestedName }: DecisionsProps) {
  const [name, setName] = useState(suggestedName);
  const [state, setState] = useState<{ isSaving: boolean; refusal: string | null }>({
    ...{ isSaving: false, refusal: null },
  });
  const accept = () => {
    editDraft(shownDraft({ draft: proposal.base, proposal }), proposal.title);
    close();
  };
  const saveAsPlan = async () => {
    setState({ isSaving: true, refusal: null });
    try {
      await openAsPlan(name, shownDraft({ draft: proposal.base, proposal }), proposal);
    } catch (error) {
      setState({ isSaving: false, refusal: messageOf(error, 'The plan could not be saved.') });
    }
  };
  const canAccept = isPlan || !isNew;
  return (
    <div class="decisions">
      <div class="buttons">
        {canAccept && (
          <button type="button" class="button" disabled={accepted === 0} onClick={accept}>
            Accept
          </button>
        )}
        <button type="button" class="quiet-button" onClick={close}>
          Discard
        </button>
      </div>
      {canAccept ? (
        <p class="quiet small">Accepting changes the draft. You can undo it, and save it later.</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!state.isSaving) void saveAsPlan();
          }}
        >
          <p class="quiet small">
            Only territories of brands can be live. Save the new ones as a plan, then give them
            brands.
          </p>
          <label>
            Name of the plan
            <input
              type="text"
              required
              maxLength={120}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button" disabled={state.isSaving || accepted === 0}>
            Save as a plan
          </button>
          {state.refusal !== null && (
            <p class="refusal" role="alert">
              {state.refusal}
            </p>
          )}
        </form>
      )}
    </div>
  );
}

interface DifferenceProps {
  group: TerritoryChanges;
  proposal: Proposal;
  market: Market;
  names: ReadonlyMap<number, string>;
  /** ZIP codes that are in a territory afterwards */
  assigned: ReadonlyMap<number, unknown>;
  effect: TerritoryEffect | undefined;
}

function Difference({ group, proposal, market, names, assigned, effect }: DifferenceProps) {
  const { territory, status, gained, lost } = group;
  const { declined, kind, balance } = proposal;
  const name = territory?.name ?? 'In no territory';
  const accepted = gained.filter(({ zip }) => !declined.has(zip)).length;
  const decideAll = (isAccepted: boolean) =>
    store.update({
      proposal: decide(
        proposal,
        gained.map(({ zip }) => zip),
        isAccepted,
      ),
    });
  return (
    <li>
      <div class="difference-head">
        {kind === 'proposal' && gained.length > 0 && (
          <input
            type="checkbox"
            aria-label={`Accept what ${name} gets`}
            checked={accepted === gained.length}
            ref={(element) => {
              if (element) element.indeterminate = accepted > 0 && accepted < gained.length;
            }}
            onChange={(event) => decideAll(event.currentTarget.checked)}
          />
        )}
        {territory ? <TerritorySwatch number={territory.number} /> : <span class="no-swatch" />}
        <span class="name">
          {name}
          {status === 'new' && <span class="tag">new</span>}
          {status === 'gone' && <span class="tag">gone</span>}
        </span>
        <span class="signs">
          {gained.length > 0 && (
            <span>
              <span class="visually-hidden">gets </span>+{countOf(gained.length)}
            </span>
          )}
          {lost.length > 0 && (
            <span>
              <span class="visually-hidden">gives up </span>−{countOf(lost.length)}
            </span>
          )}
        </span>
      </div>
      {effect && <Measures effect={effect} balance={balance} />}
      <details>
        <summary class="small">
          {countOf(gained.length + lost.length)}{' '}
          {gained.length + lost.length === 1 ? 'ZIP code' : 'ZIP codes'}
        </summary>
        <ul class="zips">
          {gained.map((change) => (
            <ZipChange key={`+${change.zip}`} {...{ change, proposal, market }}>
              {change.from === null ? 'from no territory' : `from ${names.get(change.from)}`}
            </ZipChange>
          ))}
          {lost.map((change) => (
            <ZipChange key={`-${change.zip}`} {...{ change, proposal, market }}>
              {change.to !== null
                ? `to ${names.get(change.to)}`
                : assigned.has(change.zip)
                  ? 'no longer shared'
                  : 'to no territory'}
            </ZipChange>
          ))}
        </ul>
      </details>
    </li>
  );
}

function Measures({
  effect: { before, after, cutOff },
  balance,
}: {
  effect: TerritoryEffect;
  balance: Proposal['balance'];
}) {
  const amount = (figures: typeof before) =>
    figures === null ? '–' : formatMeasure(balancedFigure(figures, balance), 'count');
  return (
    <p class="small measures">
      {labelOfBalance(balance)}{' '}
      <span class="numbers">
        {amount(before)} → <b>{amount(after)}</b>
      </span>
      {after && Number.isFinite(after.deviationPct) && (
        <span class="numbers quiet">
          {before && Number.isFinite(before.deviationPct)
            ? `${signed(before.deviationPct)} → ${signed(after.deviationPct)}`
            : signed(after.deviationPct)}{' '}
          from the mean
        </span>
      )}
      {after && after.pieces > 1 && <span class="warning">In {after.pieces} pieces</span>}
      {cutOff.size > 0 && <span class="warning">{countOf(cutOff.size)} cut off</span>}
    </p>
  );
}

const signed = (percent: number) => {
  const text = Math.abs(percent).toFixed(1);
  return Number(text) === 0 ? '0%' : `${percent < 0 ? '−' : '+'}${text}%`;
};

interface ZipChangeProps {
  change: Change;
  proposal: Proposal;
  market: Market;
  children: string;
}

function ZipChange({ change: { zip }, proposal, market, children }: ZipChangeProps) {
  const label = (
    <>
      <span>
        {market.zips[zip]} <span class="quiet">{market.places[zip]}</span>
      </span>
      <span class="quiet">{children}</span>
    </>
  );
  const point = { onMouseEnter: () => store.update({ hovered: zip }) };
  if (proposal.kind === 'comparison') return <li {...point}>{label}</li>;
  return (
    <li {...point}>
      <label class="choice">
        <input
          type="checkbox"
          checked={!proposal.declined.has(zip)}
          onFocus={() => store.update({ hovered: zip })}
          onChange={(event) =>
            store.update({ proposal: decide(proposal, [zip], event.currentTarget.checked) })
          }
        />
        {label}
      </label>
    </li>
  );
}
