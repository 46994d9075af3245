/** The fields of a webhook, in the form that creates one and in the form that changes one. */
import { EVENTS, PUBLIC_EVENT_TYPES } from '../../../events/catalog.ts';
import type { Endpoint } from '../../../notify/webhooks/endpoints.ts';
import type { NewWebhook } from '../../../notify/webhooks/manage.ts';
import type { Brand } from '../../../territory/brands.ts';
import { badRequest } from '../../../errors.ts';
import { FormState } from '../../form-state.ts';
import { choices, textField } from '../../forms.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import { html, type Html } from '../../html.ts';

export const webhookFields = (brands: readonly Brand[], state: FormState): Html =>
  html`${textField(
    {
      name: 'url',
      label: 'Address',
      hint: 'An https address that can be reached from the internet.',
      maxlength: 2_000,
      autocomplete: 'off',
    },
    state,
  )}
  ${textField(
    {
      name: 'description',
      label: 'Description',
      hint: 'Optional. What it’s for, such as “CRM”.',
      maxlength: 200,
      autocomplete: 'off',
      optional: true,
    },
    state,
  )}
  ${choices(
    { type: 'radio', name: 'events', legend: 'Events', value: 'all' },
    [
      { value: 'all', label: 'All events', hint: 'Including future ones' },
      { value: 'some', label: 'Only these events' },
    ],
    state,
  )}
  ${choices(
    { type: 'checkbox', name: 'type', legend: 'Events to send' },
    PUBLIC_EVENT_TYPES.map((type) => ({
      value: type,
      label: html`${EVENTS[type].title} <code>${type}</code>`,
    })),
    state,
  )}
  ${
    brands.length > 0 &&
    html`${choices(
      { type: 'radio', name: 'scope', legend: 'Brands', value: 'all' },
      [
        {
          value: 'all',
          label: 'All brands',
          hint: 'Also events of the whole organization, such as applied plans',
        },
        { value: 'some', label: 'Only these brands' },
      ],
      state,
    )}
    ${choices(
      { type: 'checkbox', name: 'brand', legend: 'Brands whose events are sent' },
      brands.map(({ id, name }) => ({ value: id, label: name })),
      state,
    )}`
  }`;

/** The state of the form of a webhook before it's changed */
export const stateOf = ({ url, description, types, brands }: Endpoint): FormState =>
  new FormState(
    null,
    new URLSearchParams([
      ['url', url],
      ['description', description ?? ''],
      ['events', types === null ? 'all' : 'some'],
      ...(types ?? []).map((type): [string, string] => ['type', type]),
      ['scope', brands === null ? 'all' : 'some'],
      ...(brands ?? []).map(({ id }): [string, string] => ['brand', id]),
    ]),
    { fields: {} },
  );

/** Reads the fields. @throws FormProblems */
export function readWebhook(fields: URLSearchParams): NewWebhook {
  const { type, brand } = checkedFields({
    type: () =>
      chosen(
        fields,
        'events',
        'type',
        'Choose at least one event, or choose all events above.',
      )?.map((one) => oneOf(PUBLIC_EVENT_TYPES, one)) ?? null,
    brand: () =>
      chosen(fields, 'scope', 'brand', 'Choose at least one brand, or choose all brands above.'),
  });
  const url = fields.get('url') ?? '';
  return { url, description: fields.get('description'), types: type, brands: brand };
}

/** @returns the checked values; null for all */
function chosen(
  fields: URLSearchParams,
  radio: string,
  name: string,
  missing: string,
): string[] | null {
  if (oneOf(['all', 'some'], fields.get(radio) ?? 'all') === 'all') return null;
  const values = fields.getAll(name);
  if (values.length === 0) throw badRequest(missing);
  return values;
}
