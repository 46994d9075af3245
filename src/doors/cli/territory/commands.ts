/** All commands, by the access that they need, and formatters by operation. */
import type { Command, Formats, LocalCommand } from './command.ts';
import { brandCommands, brandFormats } from './brands.ts';
import { changeCommands, changeFormats } from './changes.ts';
import { dataCommands, dataFormats } from './data.ts';
import { censusCommands, censusFormats } from './census.ts';
import { declaredOf } from './declared.ts';
import { groupCommands, groupFormats } from './groups.ts';
import { locatorCommands, locatorFormats } from './locators.ts';
import { localCommands } from './local.ts';
import { marketCommands, marketFormats } from './markets.ts';
import { recordCommands, recordFormats } from './over-time.ts';
import { placeCommands, placeFormats } from './places.ts';
import { planCommands, planFormats } from './plans.ts';
import { publicCommands, publicFormats } from './public.ts';
import { servingCommands, servingFormats } from './serving.ts';
import { webhookCommands, webhookFormats } from './webhooks.ts';

const withKey: readonly Command[] = [
  ...brandCommands,
  ...marketCommands,
  ...censusCommands,
  ...planCommands,
  ...servingCommands,
  ...dataCommands,
  ...placeCommands,
  ...changeCommands,
  ...groupCommands,
  ...recordCommands,
  ...locatorCommands,
  ...webhookCommands,
];

const needsConfirm = ({ confirm, calls }: Command) =>
  confirm !== undefined || (calls[0] !== undefined && 'confirm' in declaredOf(calls[0]).fields);

const mayWrite = ({ calls }: Command) => declaredOf(calls[0]).writes === true;

export const COMMANDS: Readonly<Record<string, readonly (Command | LocalCommand)[]>> = {
  'Public:': publicCommands,
  'Signed in or with an API key:': withKey.filter(
    (command) => !needsConfirm(command) && !mayWrite(command),
  ),
  'Signed in or with an API key that can write:': withKey.filter(
    (command) => !needsConfirm(command) && mayWrite(command),
  ),
  'Signed in or with an API key, to make changes with --confirm:': withKey.filter(needsConfirm),
  'On this machine:': localCommands,
};

export const FORMATS: Formats = {
  ...publicFormats,
  ...brandFormats,
  ...marketFormats,
  ...censusFormats,
  ...planFormats,
  ...dataFormats,
  ...placeFormats,
  ...servingFormats,
  ...changeFormats,
  ...groupFormats,
  ...recordFormats,
  ...locatorFormats,
  ...webhookFormats,
};

/** Commands of several words, by their first word */
export const FAMILIES: Readonly<Record<string, string>> = {
  plans: 'drafts of territories: create, list, show, move, compare, apply, share, export, delete',
  data: 'your own data by ZIP code: upload, list, show, restore, delete',
  places: 'offices, stores, competitors: list, show, add, change, import, delete',
  contact: 'how customers reach a brand: show, set',
  changes: 'changes of brands as one: list, show, make, transfer, move, withdraw, undo',
  groups: 'groups of brands: rules against overlap, overlaps, reserved ZIP codes',
  terms: 'what agreements grant brands, and until when: list, set',
  record: 'territories over time: who held a ZIP code, days of changes, comparisons',
  locators: 'pages that tell customers who serves them: create, list, change, unserved, revoke',
  webhooks: 'addresses that get events: add, list, show, edit, test, rotate, deliveries, resend',
};

const PLAN_WORDS = new Set(
  planCommands.flatMap(({ usage }) => /^plans ([\w-]+)/.exec(usage)?.[1] ?? []),
);

/** Returns a command line with the present name of its command, and that name if an earlier one was used. */
export function withPresentName(words: readonly string[]): { words: string[]; renamed?: string } {
  const [name = '', next = ''] = words;
  const word = /^plan-(.+)$/.exec(name)?.[1] ?? '';
  if (PLAN_WORDS.has(word)) {
    return { words: ['plans', word, ...words.slice(1)], renamed: `plans ${word}` };
  }
  if (name !== 'plans' || PLAN_WORDS.has(next) || /^(help|--help|-h)$/.test(next)) {
    return { words: [...words] };
  }
  // `plans` listed all plans, and `plans NAME` showed one.
  const present = words.slice(1).some((one) => !one.startsWith('-')) ? 'show' : 'list';
  return { words: ['plans', present, ...words.slice(1)], renamed: `plans ${present}` };
}
