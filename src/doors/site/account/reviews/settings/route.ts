import type { Role } from '../../../../../people/account/caller.ts';
import {
  changeReviewSettings,
  reviewSettings,
} from '../../../../../people/account/review-settings.ts';
import { ownTrade } from '../../../../../territories/brands/targeting/own-trade.ts';
import type { Page } from '../../../framework/page.ts';
import {
  censusPercentOf,
  REVIEW_SETTINGS,
  REVIEW_SETTINGS_PATH,
  reviewSettingsPage,
} from './view.ts';

/** Only owners, because they alone are freed from reviews */
const OWNERS: readonly Role[] = ['owner'];

export const reviewSettingsRoute: Page<'account'> = {
  audience: 'account',
  path: REVIEW_SETTINGS_PATH,
  async show({ caller, links }, form) {
    const [settings, { slug }] = await Promise.all([
      reviewSettings(caller.tenant),
      ownTrade(caller.tenant),
    ]);
    const refusal = OWNERS.includes(caller.role!)
      ? undefined
      : 'Only owners can change these settings.';
    return reviewSettingsPage({ form, settings, trade: slug, refusal }, links);
  },
  forms: [
    {
      roles: OWNERS,
      async submit({ caller }, fields) {
        const { trade, owners, timeZone, census } = REVIEW_SETTINGS.read(fields);
        const change = {
          trade,
          ownersNeedReview: owners === 'review',
          timeZone,
          censusChangePercent: censusPercentOf(census),
        };
        await changeReviewSettings(caller.tenant, caller.actor, change);
        return { to: REVIEW_SETTINGS_PATH, notice: 'review-settings-changed' };
      },
    },
  ],
};
