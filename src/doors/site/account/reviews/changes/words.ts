/** Changes in words, on their pages. */
import { actorName } from '../../../../../people/account/caller.ts';
import type { Change, ChangeStatus } from '../../../../../territories/brands/changes/read.ts';
import { formatDay } from '../../../../../territories/brands/groups/refusal-words.ts';

export const CHANGES_PATH = '/account/reviews/changes';

export const changeAddress = ({ id }: Pick<Change, 'id'>, form = ''): string =>
  `${CHANGES_PATH}/${id}${form}`;

export const STATUS_LABELS: Readonly<Record<ChangeStatus, string>> = {
  waiting: 'Waits for a review',
  scheduled: 'Scheduled',
  blocked: 'Blocked',
  live: 'Live',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  undone: 'Undone',
};

/** Says in a sentence what is the case with a change. */
export function statusSentence(change: Change): string {
  const { status, on, madeBy, decidedBy, endedBy, source } = change;
  const day = on === null ? null : formatDay(on);
  const by = (actor: Change['madeBy'] | null) => (actor ? ` by ${actorName(actor)}` : '');
  switch (status) {
    case 'waiting':
      return `${source === 'undo' ? 'Asks to undo a change. It' : 'It'} waits for a review${day ? `, and then for ${day}` : ', and goes live when it’s approved'}.`;
    case 'scheduled':
      return `Approved${by(decidedBy ?? madeBy)}. It goes live on ${day!}.`;
    case 'blocked':
      return `It was to go live on ${day!}, and something kept it from that. All of it waits: move it to another day, or withdraw it.`;
    case 'live':
      return `Approved${by(decidedBy ?? madeBy)}, and live.`;
    case 'rejected':
      return `Rejected${by(decidedBy)}.`;
    case 'withdrawn':
      return `Withdrawn${by(endedBy)}.`;
    case 'undone':
      return `Undone${by(endedBy)}.`;
  }
}
