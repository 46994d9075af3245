/** Announces to screen readers the ZIP code that arrow keys reach, the selection, and edits. */
import { formatRate } from '../../../../territories/own-data/amount-text.ts';
import { useEffect, useState } from 'preact/hooks';
import { scoreColumn } from './selection/actions.ts';
import { countZips } from './counts.ts';
import { territoriesByZip } from './territories/draft.ts';
import { formatMeasure } from './measures.ts';
import { store, type WorkspaceState } from './state.ts';
import { whiteSpaceOf } from './white-space/white-space-of.ts';

/** Time that a ZIP code must be focused before it is announced */
const PAUSE_MS = 400;

function sentenceOf(now: WorkspaceState, before: WorkspaceState): string | null {
  const { history, market, selection, hovered } = now;
  if (!market || market !== before.market) return null;
  if (history !== before.history && now.draft !== before.draft) {
    const [last, next] = [history.past.at(-1), history.future.at(-1)];
    const wasUndone = history.future.length > before.history.future.length;
    if (wasUndone) return `Undone: ${next!.label}.`;
    return last && history.past.length > before.history.past.length ? `${last.label}.` : null;
  }
  if (selection !== before.selection) {
    return selection.size === 0 ? 'Nothing selected.' : `${countZips(selection.size)} selected.`;
  }
  const isOnMap = document.activeElement instanceof HTMLCanvasElement;
  return hovered !== null && hovered !== before.hovered && isOnMap ? zipText(now, hovered) : null;
}

function zipText(state: WorkspaceState, zip: number): string {
  const market = state.market!;
  const score = market.columns.get(scoreColumn(state))?.[zip] ?? NaN;
  const holders = territoriesByZip(state.draft).get(zip) ?? [];
  const space = whiteSpaceOf(state);
  const rate = space?.rates[zip] ?? NaN;
  return [
    `${market.zips[zip]} ${market.places[zip]}`,
    ...(Number.isNaN(score) ? [] : [`score ${formatMeasure(score, 'score')}`]),
    ...(Number.isNaN(rate) ? [] : [formatRate(space!.set, rate)]),
    holders.length > 0 ? holders.map(({ name }) => name).join(', ') : 'unassigned',
    ...(state.selection.has(zip) ? ['selected'] : []),
  ].join(', ');
}

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = store.subscribe((now, before) => {
      const sentence = sentenceOf(now, before);
      if (sentence === null) return;
      clearTimeout(timer);
      timer = setTimeout(() => setText(sentence), PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, []);
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}
