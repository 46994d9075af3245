/** The differences in one territory of a proposal or a comparison, with the accepted ZIP codes. */
import { formatSignedPercent } from '../../../../../base/text/words.ts';
import { formatCount } from '../counts.ts';
import { balancedFigure, labelOfBalance, type TerritoryEffect } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { formatMeasure } from '../measures.ts';
import { decide, type Change, type Proposal, type TerritoryChanges } from './proposal.ts';
import { store } from '../state.ts';
import { TerritorySwatch } from '../map/swatch.tsx';

interface DifferenceProps {
  group: TerritoryChanges;
  proposal: Proposal;
  market: Market;
  names: ReadonlyMap<number, string>;
  /** ZIP codes that belong to a territory afterward */
  assigned: ReadonlyMap<number, unknown>;
  effect: TerritoryEffect | undefined;
  /** Number of its pieces afterward, where pieces that the proposal connects count as one */
  separate: number;
}

export function Difference(props: DifferenceProps) {
  const { group, proposal, market, names, assigned, effect, separate } = props;
  const { territory, status, gained, lost } = group;
  const { declined, kind, balance } = proposal;
  const name = territory?.name ?? 'Unassigned';
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
          {status === 'removed' && <span class="tag">removed</span>}
        </span>
        <span class="signs">
          {gained.length > 0 && (
            <span>
              <span class="visually-hidden">gets </span>+{formatCount(gained.length)}
            </span>
          )}
          {lost.length > 0 && (
            <span>
              <span class="visually-hidden">gives up </span>−{formatCount(lost.length)}
            </span>
          )}
        </span>
      </div>
      {effect && <Measures effect={effect} balance={balance} separate={separate} />}
      <details>
        <summary class="small">
          {formatCount(gained.length + lost.length)}{' '}
          {gained.length + lost.length === 1 ? 'ZIP code' : 'ZIP codes'}
        </summary>
        <ul class="zips">
          {gained.map((change) => (
            <ZipChange key={`+${change.zip}`} change={change} proposal={proposal} market={market}>
              {change.from === null ? 'was unassigned' : `from ${names.get(change.from)}`}
            </ZipChange>
          ))}
          {lost.map((change) => (
            <ZipChange key={`-${change.zip}`} change={change} proposal={proposal} market={market}>
              {change.to !== null
                ? `to ${names.get(change.to)}`
                : assigned.has(change.zip)
                  ? 'no longer shared'
                  : 'now unassigned'}
            </ZipChange>
          ))}
        </ul>
      </details>
    </li>
  );
}

interface MeasuresProps extends Pick<DifferenceProps, 'separate'> {
  effect: TerritoryEffect;
  balance: Proposal['balance'];
}

function Measures({ effect: { before, after, cutOff }, balance, separate }: MeasuresProps) {
  const amount = (figures: typeof before) =>
    figures === null ? '–' : formatMeasure(balancedFigure(figures, balance), 'count');
  return (
    <p class="small measures">
      {labelOfBalance(balance)}{' '}
      <span class="numbers">
        {before && `${amount(before)} → `}
        <b>{amount(after)}</b>
      </span>
      {after && Number.isFinite(after.deviationPct) && (
        <span class="numbers quiet">
          {before && Number.isFinite(before.deviationPct)
            ? `${formatSignedPercent(before.deviationPct)} → ${formatSignedPercent(after.deviationPct)}`
            : formatSignedPercent(after.deviationPct)}{' '}
          from the mean
        </span>
      )}
      {after && after.pieces > 1 && (
        <span class={separate > 1 ? 'warning' : 'quiet'}>
          {separate === 1
            ? `In ${after.pieces} pieces, connected over water or gaps`
            : `In ${separate} pieces`}
        </span>
      )}
      {cutOff.size > 0 && <span class="warning">{formatCount(cutOff.size)} cut off</span>}
    </p>
  );
}

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
