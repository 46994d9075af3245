/** The balance and the compactness of the territories, live while they change. */
import { measuring, scoreColumn } from '../selection/actions.ts';
import { formatCount, formatDeviation } from '../counts.ts';
import {
  balancedFigure,
  balancesIn,
  coverage,
  deviations,
  type Figures,
  labelOfBalance,
} from './figures.ts';
import { territoryOf } from './edits.ts';
import { store } from '../state.ts';
import { TerritorySwatch } from '../map/swatch.tsx';
import { useStore } from '../use-store.ts';

export function BalanceTable() {
  const market = useStore((state) => state.market);
  const draft = useStore((state) => state.draft);
  const saved = useStore((state) => state.saved);
  const balance = useStore((state) => state.balance);
  const scores = useStore(scoreColumn);
  const territories = draft.territories.filter(({ zips }) => zips.size > 0);
  if (!market || territories.length < 2) return null;
  const figures = territories.map(({ zips }) => measuring(market, scores)(zips));
  const deviation = deviations(figures.map((one) => balancedFigure(one, balance)));
  const { free, shared } = coverage(market, draft);
  return (
    <section class="balance" aria-labelledby="balance-title">
      <h2 id="balance-title">Balance</h2>
      <select
        aria-label="Balance territories by"
        value={balance}
        onChange={(event) => store.update({ balance: event.currentTarget.value })}
      >
        {balancesIn(market).map((name) => (
          <option key={name} value={name}>
            {labelOfBalance(name)}
          </option>
        ))}
      </select>
      <table>
        <thead>
          <tr>
            <th scope="col">Territory</th>
            <th scope="col">
              <span tabIndex={0} data-full="Deviation from the mean of the territories">
                ± mean
              </span>
            </th>
            <th scope="col">
              <span tabIndex={0} data-full="Compactness: Polsby-Popper, 1 is a circle">
                Comp.
              </span>
            </th>
            <th scope="col">Pieces</th>
          </tr>
        </thead>
        <tbody>
          {territories.map(({ number, name, zips }, i) => {
            const { compactness, pieces, separatePieces } = figures[i]!;
            const isChanged = territoryOf(saved, number)?.zips !== zips;
            return (
              <tr key={number} class={isChanged ? 'changed' : ''}>
                <th scope="row">
                  <TerritorySwatch number={number} />{' '}
                  <button
                    type="button"
                    class="name"
                    data-full={name}
                    onClick={() => store.update({ selection: zips })}
                  >
                    {name}
                  </button>
                  {isChanged && <span class="visually-hidden"> (not saved)</span>}
                </th>
                <td>{formatDeviation(deviation[i]!)}</td>
                <td>{Number.isNaN(compactness) ? '–' : compactness.toFixed(2)}</td>
                <Pieces pieces={pieces} separatePieces={separatePieces} />
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="quiet small">
        {formatCount(free)} unassigned
        {shared.size > 0 && `, ${formatCount(shared.size)} in several`}
      </p>
    </section>
  );
}

/** Pieces on islands and across bays are connected, so they are no reason for caution. */
function Pieces({ pieces, separatePieces }: Pick<Figures, 'pieces' | 'separatePieces'>) {
  if (separatePieces > 1) return <td class="caution">{formatCount(pieces)}</td>;
  if (pieces < 2) return <td>{formatCount(pieces)}</td>;
  return (
    <td title="Connected over water or gaps">
      {formatCount(pieces)}
      <span class="visually-hidden"> connected over water or gaps</span>
    </td>
  );
}
