/** The slider of earlier days, which replaces the panel while the map shows one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDay } from '../../../../../base/text/days.ts';
import { config } from '../config.ts';
import { formatCount } from '../counts.ts';
import { messageOf } from '../requests.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';
import { closePast, countDifferent, openPast, showDay } from './past.ts';
import type { Past } from './past-days.ts';

/** Pause after which a day is requested, so that a passing slider requests none */
const DEBOUNCE_MS = 150;

/** Opens the slider. Plans have no past. */
export function EarlierDays() {
  const isLive = useStore(({ source, market }) => source.kind === 'live' && market !== null);
  const [isOpening, setOpening] = useState(false);
  if (!isLive) return null;
  const open = () => {
    setOpening(true);
    openPast()
      .catch((error: unknown) => store.update({ notice: { text: messageOf(error) } }))
      .finally(() => setOpening(false));
  };
  return (
    <section class="earlier-days" aria-label="Earlier days">
      <button type="button" class="quiet-button" disabled={isOpening} onClick={open}>
        Earlier days
      </button>
    </section>
  );
}

export function PastPanel({ past }: { past: Past }) {
  const { days, at, problem } = past;
  const [shown, setShown] = useState(at);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const different = useStore(({ proposal }) => (proposal ? countDifferent(proposal) : 0));
  const isShown = useStore(({ proposal }) => proposal?.title === formatDay(days[shown]!.day));
  const { day, taken, givenUp } = days[shown]!;
  const choose = (index: number) => {
    setShown(index);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void showDay(index), DEBOUNCE_MS);
  };
  const counts = [
    ...(taken > 0 ? [`${formatCount(taken)} taken`] : []),
    ...(givenUp > 0 ? [`${formatCount(givenUp)} given up`] : []),
  ].join(', ');
  return (
    <section class="proposal past" aria-labelledby="past-title">
      <h2 id="past-title" tabindex={-1} ref={title}>
        Earlier days
      </h2>
      <label for="past-day">Days on which your territories changed</label>
      <input
        id="past-day"
        type="range"
        min={0}
        max={days.length - 1}
        step={1}
        value={shown}
        aria-valuetext={`${formatDay(day)}: ${counts}`}
        onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      <p role="status">
        <b>{formatDay(day)}</b>: {counts}.{' '}
        {problem ??
          (isShown
            ? different === 0
              ? 'At its end, this map was as it is today.'
              : `At its end, ${formatCount(different)} ZIP ${different === 1 ? 'code' : 'codes'} of this map differed from today, and ${different === 1 ? 'is' : 'are'} marked.`
            : 'Loading…')}
      </p>
      <p class="buttons">
        <button type="button" class="button" onClick={closePast}>
          Back to today
        </button>
        <a href={`${config().paths.overTime}?${new URLSearchParams({ from: day }).toString()}`}>
          Compare with today
        </a>
      </p>
    </section>
  );
}
