/**
 * Replaces a page's picture with a map (`liveMap` in `score-map-frame.ts`). The map loads after everything
 * else. If it can't be shown, the picture stays.
 */
import { data, find } from './dom.ts';
import { createCard, createPopup } from './map-view.ts';
import { readScoreClasses } from './score-classes.ts';
import { MAP_LABEL, openScoreMap } from './score-map.ts';
import type { ScoredZip } from './score-map-pointing.ts';

async function showLiveMap(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  }
  const frame = find('.live-map .score-map', HTMLElement);
  const classes = readScoreClasses(frame);
  /** The ZIP code of the page */
  const home = frame.dataset['zip'] ?? null;
  const describe = ({ zip, scoreClass }: ScoredZip) => [[zip], classes.line(scoreClass)] as const;
  const { map, maplibregl, choose } = await openScoreMap(frame, {
    vertical: data(frame, 'vertical'),
    label: MAP_LABEL,
    showAllLabel: home === null ? 'Show the whole metro' : `Show ${home} again`,
    cooperative: true,
    describe,
    onClick(hit, _isMetro, point) {
      card.remove();
      if (!hit) return;
      const content = createCard(describe(hit));
      if (hit.zip !== home) content.append(pageLink(hit.zip));
      card.setLngLat(point).setDOMContent(content).addTo(map);
      choose(hit.zip);
    },
  });
  const card = createPopup(maplibregl, true);
  card.on('close', () => choose(home));
  choose(home);

  function pageLink(zip: string): HTMLAnchorElement {
    const link = document.createElement('a');
    link.href = `${data(frame, 'site')}/zip/${zip}`;
    link.textContent = 'All figures';
    return link;
  }
}

showLiveMap().catch(() => {
  // The picture stays.
});
