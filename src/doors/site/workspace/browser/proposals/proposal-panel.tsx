/**
 * A proposal or a comparison, which replaces the territories: the differences, and which of them are
 * accepted.
 */
import { useMemo } from 'preact/hooks';
import { config } from '../config.ts';
import { formatCount } from '../counts.ts';
import { Difference } from './difference.tsx';
import { territoriesByZip, type Draft, type DraftTerritory } from '../territories/draft.ts';
import { editDraft, isEdited } from '../territories/editing.ts';
import {
  balancesIn,
  countSeparate,
  effectOf,
  figuresIn,
  labelOfBalance,
  piecesOf,
} from '../territories/figures.ts';
import { fileName } from '../controls/file-name.ts';
import type { Market } from '../market.ts';
import { scoreOf } from '../measures.ts';
import { openAsPlan } from '../plans/open-plan.ts';
import { PaidPicture } from '../controls/paid-picture.tsx';
import { PlanNameForm } from '../plans/plan-name-form.tsx';
import { changesByTerritory, changesOf, shownDraft, type Proposal } from './proposal.ts';
import { store } from '../state.ts';
import { FirstSizeForm } from '../solver/first-proposal.tsx';
import { useDark } from '../map/swatch.tsx';
import { useStore } from '../use-store.ts';

export function ProposalPanel({ proposal, market }: { proposal: Proposal; market: Market }) {
  const {
    kind,
    title,
    isFirst = false,
    notes,
    base,
    draft,
    bridges,
    connections,
    declined,
  } = proposal;
  const { balance, vertical } = proposal;
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
  const separate = useMemo(
    () =>
      new Map(
        shown.territories.map(({ number, zips }) => [
          number,
          countSeparate(piecesOf(market, zips), zips, [...market.bridges, ...bridges]),
        ]),
      ),
    [market, bridges, shown],
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
      {isFirst && <FirstSizeForm submit="Update" />}
      {connections.length > 0 && (
        <details class="connections">
          <summary class="small">
            {formatCount(connections.length)}{' '}
            {connections.length === 1 ? 'connection' : 'connections'} over water or gaps
          </summary>
          <p class="small">{connections.join(', ')}.</p>
        </details>
      )}
      <p class="small" role="status">
        {changes.length === 0
          ? 'Nothing changes.'
          : `${formatCount(changes.length)} ${changes.length === 1 ? 'ZIP code changes' : 'ZIP codes change'} territories${
              accepted < changes.length ? `, ${formatCount(accepted)} accepted` : ''
            }.`}{' '}
        {changes.length > 0 && 'They are outlined on the map.'}
      </p>
      {kind === 'comparison' ? (
        <Comparison proposal={proposal} market={market} />
      ) : changes.length === 0 ? (
        <div class="buttons">
          <button type="button" class="quiet-button" onClick={close}>
            Close
          </button>
        </div>
      ) : (
        <Decisions
          proposal={proposal}
          accepted={accepted}
          isPlan={source.kind === 'plan'}
          isNew={shown.territories.some(({ brand, zips }) => brand === null && zips.size > 0)}
          suggestedName={`${shortLabel(market)}: ${title}`}
        />
      )}
      <ul class="differences">
        {groups.map((group) => (
          <Difference
            key={group.territory?.number ?? 0}
            group={group}
            proposal={proposal}
            market={market}
            names={names}
            assigned={assigned}
            effect={effects.get(group.territory?.number ?? 0)}
            separate={separate.get(group.territory?.number ?? 0) ?? 0}
          />
        ))}
      </ul>
    </section>
  );
}

/** `Dallas, TX` instead of `Dallas-Fort Worth-Arlington, TX`, so that the suggested name fits in its field */
const shortLabel = ({ id, label }: Market) =>
  config().metros.find(({ slug }) => slug === id)?.label ?? label;

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

const namesOf = (territories: readonly DraftTerritory[]): ReadonlyMap<number, string> =>
  new Map(territories.map(({ number, name }) => [number, name]));

const close = () => store.update({ proposal: null });

/** The measure of the comparison, and the picture of the difference */
function Comparison({ proposal, market }: { proposal: Proposal; market: Market }) {
  const { title, balance, picture } = proposal;
  const isDark = useDark();
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
          path={(style) => `${picture}&style=${style}`}
          firstStyle={isDark ? 'dark' : 'light'}
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
  /** Whether a territory has no brand yet, so it can't be live */
  isNew: boolean;
  suggestedName: string;
}

function Decisions(props: DecisionsProps) {
  const { proposal, accepted, isPlan, isNew, suggestedName } = props;
  const accept = () => {
    editDraft(shownDraft({ draft: proposal.base, proposal }), proposal.title);
    // The territories keep the colors that the proposal gave them.
    store.update({ proposal: null, colorBy: 'territory', whiteSpace: null });
  };
  const canAccept = isPlan || !isNew;
  const discard = (
    <button type="button" class="quiet-button" onClick={close}>
      Discard
    </button>
  );
  return (
    <div class="decisions">
      {canAccept ? (
        <>
          <div class="buttons">
            <button type="button" class="button" disabled={accepted === 0} onClick={accept}>
              Accept
            </button>
            {discard}
          </div>
          <p class="quiet small">
            Accepting updates the draft. You can undo it. Nothing is stored until you save.
          </p>
        </>
      ) : (
        <>
          <p class="quiet small">
            Only a brand’s territory can go live. Save the new territories as a plan, then assign a
            brand to each.
          </p>
          <PlanNameForm
            label="Name of the plan"
            first={suggestedName}
            submit="Save as a plan"
            isDisabled={accepted === 0}
            more={discard}
            save={(name) =>
              openAsPlan(name, shownDraft({ draft: proposal.base, proposal }), proposal)
            }
          />
        </>
      )}
    </div>
  );
}
