/** Suggests values for the arguments of prompts and resource templates. */
import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import type { Caller } from '../../people/account/caller.ts';
import { launchedMetros } from '../../data/market/metros.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { listBrands } from '../../territories/brands/list-brands.ts';
import { PROMPTS } from './prompts.ts';
import { TEMPLATES } from './resources.ts';

/** The protocol's limit of values */
const MAX_VALUES = 100;

interface Choice {
  value: string;
  label: string;
}

/** Returns matching values. Unknown prompts and arguments have none. */
export async function complete(
  { ref, argument }: CompleteRequest['params'],
  caller: Caller,
): Promise<CompleteResult> {
  const isKnown =
    ref.type === 'ref/prompt'
      ? PROMPTS.some(
          ({ name, arguments: all = [] }) => name === ref.name && includesName(all, argument),
        )
      : TEMPLATES.some(
          (one) => one.uriTemplate === ref.uri && ref.uri.includes(`{${argument.name}}`),
        );
  const choices = isKnown ? await choicesOf(argument.name, caller) : [];
  const typed = argument.value.trim().toLowerCase();
  const matching = choices.filter(({ value, label }) =>
    [value, label.toLowerCase()].some((text) => text.includes(typed)),
  );
  // Values that begin with the typed text come first.
  const values = matching
    .map(({ value }) => value)
    .sort((a, b) => Number(b.startsWith(typed)) - Number(a.startsWith(typed)));
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}

const includesName = (all: readonly { name: string }[], { name }: { name: string }) =>
  all.some((one) => one.name === name);

async function choicesOf(name: string, { tenant, brandScope }: Caller): Promise<Choice[]> {
  switch (name) {
    case 'brand': {
      const { rows } = await listBrands(tenant, brandScope, { limit: 200 });
      return rows.map(({ slug, name: label }) => ({ value: slug, label }));
    }
    case 'metro':
      return launchedMetros().map(({ slug, fullName }) => ({ value: slug, label: fullName }));
    case 'vertical':
      return VERTICALS.map(({ slug, label }) => ({ value: slug, label }));
    default:
      return [];
  }
}
