/** The panel next to the map: its colors, the territories, and actions on them. */
import { BalanceTable } from './balance.tsx';
import type { Bbox } from './market.ts';
import { FiguresQuestion } from './figures-question.tsx';
import { FirstProposal } from './first-proposal.tsx';
import { ColorBy } from './legend.tsx';
import { PlanTerritories } from './plan-territories.tsx';
import { PlanBar } from './plan-bar.tsx';
import { ProposalPanel } from './proposal-panel.tsx';
import { Propose } from './propose.tsx';
import { SelectionPanel } from './selection-panel.tsx';
import { Territories } from './territories.tsx';
import { useStore } from './use-store.ts';

export function Panel({ fly }: { fly: (bbox: Bbox) => void }) {
  const proposal = useStore((state) => state.proposal);
  const market = useStore((state) => state.market);
  if (proposal && market) {
    // The map shows territories alone meanwhile, so there are no colors to choose.
    return <ProposalPanel key={proposal.title} proposal={proposal} market={market} />;
  }
  return (
    <>
      <FirstProposal fly={fly} />
      <FiguresQuestion />
      <ColorBy />
      <SelectionPanel />
      <PlanBar />
      <Territories fly={fly} />
      <PlanTerritories />
      <BalanceTable />
      <Propose />
    </>
  );
}
