import { listMembers } from '../../../../people/account/members.ts';
import { listDataSets } from '../../../../territories/own-data/data-sets.ts';
import { figuresMeterOf } from '../../../../people/metering/figures.ts';
import { meterOf } from '../../../../people/metering/meter.ts';
import type { Operation } from '../../../../base/contract/operation.ts';
import { redirect, visitOperation, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { SUBSCRIPTION_PATH, subscriptionPage } from './view.ts';

export const subscriptionRoute: Page<'account'> = {
  audience: 'account',
  path: SUBSCRIPTION_PATH,
  async show({ caller, links }) {
    const { tenant, subscription, actor } = caller;
    const [meter, figures, members, sets] = await Promise.all([
      meterOf(tenant, subscription),
      figuresMeterOf(caller),
      listMembers(tenant),
      listDataSets(tenant),
    ]);
    return subscriptionPage(
      { subscription, meter, figures, members, dataSets: sets.length, viewerId: actor.id! },
      links,
    );
  },
};

/** Redirects the page's former address. */
export const formerSubscriptionPage = (parts: SiteParts): Operation =>
  visitOperation({ audience: 'account', path: '/account/plan' }, parts, async ({ links }) =>
    redirect(links.page(SUBSCRIPTION_PATH)),
  );
