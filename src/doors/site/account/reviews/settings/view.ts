/** Settings of reviews: the trade whose scores they show, and whether owners need one. */
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

export const REVIEW_SETTINGS = formOf({
  trade: menu(
    {
      name: 'trade',
      label: 'Your trade',
      hint: 'Its scores are shown beside requests and ZIP codes until you choose others there.',
    },
    VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
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
  const main = html`${wholeProblem(form)} ${refusalNotice(refusal)}
    <form method="post" action="${links.page(REVIEW_SETTINGS_PATH)}">
      ${REVIEW_SETTINGS.html(form, null, { trade, owners })}
      ${refusal === undefined && html`<button class="button">Save</button>`}
    </form>`;
  return { path: REVIEW_SETTINGS_PATH, main };
}
