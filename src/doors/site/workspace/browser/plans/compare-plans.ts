/** Compares the open territories with the live ones or another plan. */
import { balanceIn } from '../territories/figures.ts';
import { loadDraft, loadLive } from '../load.ts';
import { verticalOf } from '../measures.ts';
import { planPath } from './plan-requests.ts';
import { matchedTo } from '../proposals/proposal.ts';
import { store, type Source } from '../state.ts';

const LIVE: Source = { kind: 'live' };

/**
 * Shows how the plan differs from the live territories or another plan, or how another plan differs from
 * the live territories.
 * @param other null for the live territories
 */
export async function compareWith(other: { id: string; name: string } | null): Promise<void> {
  const { market, place, draft, source, colorBy } = store.get();
  if (!market) return;
  const loaded = other
    ? await loadDraft(`plan=${other.id}`, market)
    : { source: LIVE, draft: await loadLive(place, market) };
  const now = store.get();
  if (now.market?.zips !== market.zips || now.draft !== draft) return;
  // Both sides get the draft's numbers, and thereby its colors.
  const [own, compared] = [
    { source, draft },
    { ...loaded, draft: matchedTo(draft, loaded.draft) },
  ];
  const [before, after] = source.kind === 'live' ? [own, compared] : [compared, own];
  if (after.source.kind === 'live') return;
  const { id, name, balance, vertical } = after.source;
  const [reference, than] =
    before.source.kind === 'live' ? ['live', 'live'] : [before.source.id, before.source.name];
  store.update({
    proposal: {
      kind: 'comparison',
      title: `${name} compared with ${than}`,
      notes: [],
      base: before.draft,
      draft: after.draft,
      declined: new Set(),
      bridges: [],
      connections: [],
      balance: balanceIn(now.market, balance),
      vertical: verticalOf(colorBy) ?? vertical,
      picture: `${planPath(id)}/map.png?${new URLSearchParams({ with: reference })}`,
    },
  });
}
