/** The pages that are made for one person: the ways in, and the account area. */
import type { Operation } from '../../contract/operation.ts';
import { entrances } from './entrances.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { overview } from './overview.ts';
import { memberPage } from './page.ts';
import type { PeopleParts } from './visit.ts';
import { password, sessions } from './sessions.ts';

export const peopleOperations = (parts: PeopleParts): Operation[] => [
  ...entrances(parts),
  ...[overview, keys, members, sessions, password].flatMap((page) =>
    memberPage(page(parts), parts),
  ),
];
