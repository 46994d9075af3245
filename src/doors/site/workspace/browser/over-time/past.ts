/** Shows the territories of an earlier day on the map, as differences from today. */
import { config } from '../config.ts';
import { loadLive } from '../load.ts';
import { changesOf, matchedTo, type Proposal } from '../proposals/proposal.ts';
import { getJson, messageOf } from '../requests.ts';
import { NO_ZIPS, store } from '../state.ts';
import { formatDay } from '../../../../../base/text/days.ts';
import type { ChangedDay, Past } from './past-days.ts';

interface DaysAnswer {
  days: ChangedDay[];
}

/** @throws Refusal */
export async function openPast(): Promise<void> {
  const { days } = await getJson<DaysAnswer>(config().paths.days);
  const { market, saved } = store.get();
  if (!market) return;
  if (days.length === 0) {
    store.update({ notice: { text: 'Nothing has changed yet, so there are no earlier days.' } });
    return;
  }
  // At the end of the last day, territories are as they are today.
  const past = { days: days.toReversed(), at: days.length - 1, problem: null };
  store.update({ past, proposal: differenceOf(past, saved), selection: NO_ZIPS });
}

export const closePast = (): void => store.update({ past: null, proposal: null });

let asked = 0;

/** Shows the end of another day. A later call wins over an earlier one whose answer arrives late. */
export async function showDay(at: number): Promise<void> {
  const { market, place, past } = store.get();
  if (!market || !past) return;
  const own = ++asked;
  store.update({ past: { ...past, at, problem: null } });
  const isCurrent = () =>
    own === asked && store.get().past !== null && store.get().market === market;
  const { day } = past.days[at]!;
  try {
    const then = await loadLive(`${place}&asOf=${day}`, market);
    const now = store.get();
    if (!isCurrent() || !now.past) return;
    store.update({ proposal: differenceOf(now.past, matchedTo(now.saved, then)) });
  } catch (error) {
    const now = store.get();
    if (isCurrent() && now.past) {
      store.update({ past: { ...now.past, problem: messageOf(error) } });
    }
  }
}

/** @param draft the territories of the day, with the numbers of today's */
function differenceOf({ days, at }: Past, draft: Proposal['draft']): Proposal {
  const { saved, balance } = store.get();
  return {
    kind: 'comparison',
    title: formatDay(days[at]!.day),
    notes: [],
    base: saved,
    draft,
    bridges: [],
    connections: [],
    declined: NO_ZIPS,
    balance,
    vertical: config().verticals[0]!.slug,
  };
}

/** Number of ZIP codes of the market that differ from today */
export const countDifferent = ({ base, draft }: Proposal): number =>
  new Set(changesOf(base, draft).map(({ zip }) => zip)).size;
