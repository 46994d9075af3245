/** The classes of scores in the legend of a map. */
import { data, findAll } from './dom.ts';
import type { CardLine } from './map-view.ts';

/** The classes of scores in the legend of a frame */
interface ScoreClasses {
  /** The line of a card that names a class. @param scoreClass its lower bound, or undefined without a score */
  line(scoreClass: number | undefined): CardLine;
  /** The CSS class that fills an element with the color of a score on the map */
  fillOf(score: number | null): string;
}

export function readScoreClasses(frame: HTMLElement): ScoreClasses {
  const keys = findAll('[data-class]', HTMLElement, frame);
  const lowerBounds = keys.map((key) => Number(data(key, 'class')));
  return {
    line(scoreClass) {
      const index = lowerBounds.findIndex((bound) => bound === scoreClass);
      const label = keys[index]?.textContent.trim();
      return label === undefined
        ? ['No score', 'class-none']
        : [`Score ${label}`, `class-${index}`];
    },
    fillOf: (score) =>
      score === null ? 'fill-none' : `fill-${lowerBounds.findLastIndex((bound) => score >= bound)}`,
  };
}
