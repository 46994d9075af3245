/** All commands, grouped by the access that they need. */
import type { Command, LocalCommand } from './command.ts';
import { activity } from './commands/activity.ts';
import { apply } from './commands/apply.ts';
import { best } from './commands/best.ts';
import { brand } from './commands/brand.ts';
import { brands } from './commands/brands.ts';
import { call } from './commands/call.ts';
import { capabilities } from './commands/capabilities.ts';
import { completion } from './commands/completion.ts';
import { compare } from './commands/compare.ts';
import { dataDelete, dataList, dataRestore, dataShow } from './commands/data/commands.ts';
import { dataUpload } from './commands/data/upload.ts';
import {
  groupsChange,
  groupsCreate,
  groupsDelete,
  groupsList,
  groupsOverlaps,
  groupsShow,
} from './commands/groups/commands.ts';
import { groupsEndReserve, groupsReserve } from './commands/groups/reserves.ts';
import { planExport } from './commands/plans/export.ts';
import { planShare, planShares, planUnshare } from './commands/plans/share.ts';
import { planMeasure, planMeasureDelete, planMeasures } from './commands/plans/measure.ts';
import { design } from './commands/plans/design.ts';
import { discover } from './commands/discover.ts';
import { events } from './commands/events.ts';
import { exhibit } from './commands/exhibit.ts';
import { exportTerritory } from './commands/export.ts';
import { health } from './commands/health.ts';
import { mapContext } from './commands/map-context.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { map } from './commands/map.ts';
import { metro } from './commands/metro.ts';
import { openapi } from './commands/openapi.ts';
import { pending } from './commands/pending.ts';
import { plan } from './commands/plan.ts';
import {
  planApply,
  planCompare,
  planCreate,
  planDelete,
  planMove,
  plans,
} from './commands/plans/commands.ts';
import { remove } from './commands/remove.ts';
import { render } from './commands/render.ts';
import { score } from './commands/score.ts';
import { share } from './commands/share.ts';
import { shares } from './commands/shares.ts';
import { signUrl } from './commands/sign-url.ts';
import { study } from './commands/study.ts';
import { target } from './commands/target.ts';
import { tools } from './commands/tools.ts';
import { unshare } from './commands/unshare.ts';
import {
  webhooksAdd,
  webhooksDelete,
  webhooksDeliveries,
  webhooksEdit,
  webhooksList,
  webhooksResend,
  webhooksRotate,
  webhooksShow,
  webhooksTest,
} from './commands/webhooks/commands.ts';
import { vertical } from './commands/vertical.ts';
import { zip } from './commands/zip.ts';

export const COMMANDS: Readonly<Record<string, readonly (Command | LocalCommand)[]>> = {
  'Public:': [zip, vertical, metro, best, study, map, mapContext, openapi, tools],
  'Signed in or with an API key:': [
    capabilities,
    brands,
    brand,
    health,
    compare,
    score,
    target,
    discover,
    plan,
    plans,
    planCompare,
    planShares,
    planMeasures,
    planExport,
    dataList,
    dataShow,
    groupsList,
    groupsShow,
    groupsOverlaps,
    render,
    signUrl,
    exhibit,
    exportTerritory,
    pending,
    activity,
    events,
    shares,
    call,
  ],
  'Signed in or with an API key, to make changes with --confirm:': [
    apply,
    remove,
    share,
    unshare,
    planUnshare,
    planApply,
    planDelete,
    planMeasureDelete,
    dataDelete,
    groupsDelete,
    webhooksDelete,
  ],
  'Signed in or with an API key that can write:': [
    design,
    planCreate,
    planMove,
    planMeasure,
    planShare,
    dataUpload,
    dataRestore,
    groupsCreate,
    groupsChange,
    groupsReserve,
    groupsEndReserve,
    webhooksList,
    webhooksShow,
    webhooksDeliveries,
    webhooksAdd,
    webhooksEdit,
    webhooksRotate,
    webhooksTest,
    webhooksResend,
  ],
  'On this machine:': [login, logout, completion],
};
