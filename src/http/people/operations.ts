/** The pages that are made for one person: the ways in, and the account area. */
import type { Operation } from '../../contract/operation.ts';
import { memberData } from './data.ts';
import { entrances } from './entrances.ts';
import { exports } from './exports.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { overview } from './overview.ts';
import { memberPage } from './page.ts';
import { plan } from './plan.ts';
import type { PeopleParts } from './visit.ts';
import { password, sessions } from './sessions.ts';
import { share, shares } from './shares.ts';
import { firstTargeting, targeting, targetingPreview } from './targeting.ts';
import { importReport, transfer } from './transfer.ts';

export const peopleOperations = (parts: PeopleParts): Operation[] => [
  ...entrances(parts),
  ...[
    overview,
    shares,
    share,
    keys,
    members,
    plan,
    sessions,
    password,
    transfer,
    firstTargeting,
    targeting,
  ].flatMap((page) => memberPage(page(parts), parts)),
  ...[...exports(parts), importReport(), targetingPreview(parts)].map((data) =>
    memberData(data, parts),
  ),
];
