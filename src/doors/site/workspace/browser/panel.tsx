/** The panel next to the map: its colors, the territories, and actions on them. */
import { BalanceTable } from './territories/balance.tsx';
import type { Bbox } from './market.ts';
import { FiguresQuestion } from './controls/figures-question.tsx';
import { FirstProposal } from './solver/first-proposal.tsx';
import { ColorBy } from './map/legend.tsx';
import { EarlierDays, PastPanel } from './over-time/earlier-days.tsx';
import { PlanTerritories } from './territories/plan-territories.tsx';
import { PlanBar } from './plans/plan-bar.tsx';
import { ProposalPanel } from './proposals/proposal-panel.tsx';
import { Propose } from './solver/solve-dialog.tsx';
import { SelectionPanel } from './selection/selection-panel.tsx';
import { Territories } from './territories/territories.tsx';
import { useStore } from './use-store.ts';
import { WhiteSpaceSection } from './white-space/section.tsx';

export function Panel({ fly }: { fly: (bbox: Bbox) => void }) {
  const proposal = useStore((state) => state.proposal);
  const past = useStore((state) => state.past);
  const market = useStore((state) => state.market);
  if (past && market) return <PastPanel past={past} />;
  if (proposal && market) {
    // The map shows territories alone meanwhile, so there are no colors to choose.
    return <ProposalPanel key={proposal.title} proposal={proposal} market={market} />;
  }
  return (
    <>
      <FirstProposal fly={fly} />
      <FiguresQuestion />
      <ColorBy />
      <WhiteSpaceSection />
      <SelectionPanel />
      <PlanBar />
      <Territories fly={fly} />
      <PlanTerritories />
      <BalanceTable />
      <Propose />
      <EarlierDays />
    </>
  );
}
