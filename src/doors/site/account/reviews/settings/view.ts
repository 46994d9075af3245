/** Settings of reviews, when days begin, and news from the census. */
import { TIME_ZONES } from '../../../../../base/text/days.ts';
import { VERTICALS, type VerticalSlug } from '../../../../../data/scoring/verticals.ts';
import type { ReviewSettings } from '../../../../../people/account/review-settings.ts';
import type { FormState } from '../../../form-state.ts';
import { wholeProblem } from '../../../forms.ts';
import { formOf, menu, oneChoice } from '../../../framework/fields.ts';
import { html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { AccountContent } from '../../frame.ts';
import { refusalNotice } from '../../refusal-notice.ts';

export const REVIEW_SETTINGS_PATH = '/account/reviews/settings';

const CENSUS_PERCENTS = [1, 2, 5, 10, 20];
const NEVER = 'never';

/** Returns the percentage that a choice stands for. */
export const censusPercentOf = (choice: string): number | null =>
  choice === NEVER ? null : Number(choice);

export const REVIEW_SETTINGS = formOf({
  trade: menu(
    {
      name: 'trade',
      label: 'Your trade',
      hint: 'Its scores are shown beside requests and ZIP codes until you choose others there.',
    },
    VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
  ),
  timeZone: menu(
    {
      name: 'timeZone',
      label: 'Your days begin in',
      hint: 'Changes with a date take effect at midnight there, and territories of an earlier day are those at its end.',
    },
    Object.entries(TIME_ZONES).map(([value, label]) => ({ value, label })),
  ),
  owners: oneChoice({ name: 'owners', legend: 'What owners request', value: 'review' }, [
    { value: 'review', label: 'Waits for a review', hint: 'As what everyone else requests does' },
    {
      value: 'live',
      label: 'Goes live at once',
      hint:
        'On the map, in plans and imports, and through apps that an owner connected with write access. ' +
        'Requests of API keys always wait. The rules of groups still apply.',
    },
  ]),
  census: menu(
    {
      name: 'census',
      label: 'Changes in the census',
      hint: 'A new vintage of figures is announced to the people of a brand if its households or owner households changed by as much, and clearly.',
    },
    [
      ...CENSUS_PERCENTS.map((percent) => ({
        value: String(percent),
        label: `${percent}% or more`,
      })),
      { value: NEVER, label: 'Never' },
    ],
  ),
});

interface ReviewSettingsContent {
  form: FormState;
  settings: ReviewSettings;
  /** Slug of the trade in use */
  trade: VerticalSlug;
  /** Reason why the viewer can't change them; undefined if they can */
  refusal: string | undefined;
}

export function reviewSettingsPage(
  { form, settings, trade, refusal }: ReviewSettingsContent,
  links: Links,
): AccountContent {
  const owners = settings.ownersNeedReview ? 'review' : 'live';
  const census =
    settings.censusChangePercent === null ? NEVER : String(settings.censusChangePercent);
  const main = html`${wholeProblem(form)} ${refusalNotice(refusal)}
    <form method="post" action="${links.page(REVIEW_SETTINGS_PATH)}">
      ${REVIEW_SETTINGS.html(form, null, { trade, owners, timeZone: settings.timeZone, census })}
      ${refusal === undefined && html`<button class="button">Save</button>`}
    </form>`;
  return { path: REVIEW_SETTINGS_PATH, main };
}
