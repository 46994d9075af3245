import { figuresMeterOf } from '../../../../people/metering/figures.ts';
import { meterOf, periodAt } from '../../../../people/metering/meter.ts';
import { usageDays } from '../../../../people/metering/usage-days.ts';
import type { Page } from '../../framework/page.ts';
import { USAGE_PATH, usagePage } from './view.ts';

export const usageRoute: Page<'account'> = {
  audience: 'account',
  path: USAGE_PATH,
  async show({ caller, links }) {
    const { tenant, subscription } = caller;
    const now = new Date();
    const period = periodAt(now);
    const [meter, figures, days] = await Promise.all([
      meterOf(tenant, subscription, now),
      figuresMeterOf(caller, now),
      usageDays(tenant, period.start, period.end),
    ]);
    return usagePage({ meter, figures, period, days }, links);
  },
};
