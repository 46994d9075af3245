/** The fields of a webhook, in the form that creates one and in the form that changes one. */
import { EVENTS, PUBLIC_EVENT_TYPES, type EventType } from '../../../../people/events/catalog.ts';
import type { Endpoint } from '../../../../territories/notify/webhooks/endpoints.ts';
import { allOrSome, brandsOrAll, formOf, text } from '../../framework/fields.ts';
import { html } from '../../html.ts';

export const WEBHOOK = formOf({
  url: text({
    name: 'url',
    label: 'Address',
    hint: 'An https address that can be reached from the internet.',
    maxlength: 2_000,
  }),
  description: text<string | null>({
    name: 'description',
    label: 'Description',
    hint: 'Optional. What it’s for, such as “CRM”.',
    maxlength: 200,
    optional: true,
  }),
  types: allOrSome<EventType, unknown>(
    {
      name: 'events',
      legend: 'Events',
      all: 'All events',
      hint: 'Including future ones',
      some: 'Only these events',
    },
    {
      name: 'type',
      legend: 'Events to send',
      missing: 'Choose at least one event, or choose all events above.',
    },
    () =>
      PUBLIC_EVENT_TYPES.map((type) => ({
        value: type,
        label: html`${EVENTS[type].title} <code>${type}</code>`,
      })),
  ),
  brands: brandsOrAll({
    hint: 'Also events of the whole organization, such as applied plans',
    legend: 'Brands whose events are sent',
  }),
});

/** The values to edit */
export const editedWebhook = ({ url, description, types, brands }: Endpoint) => ({
  url,
  description,
  types,
  brands: brands?.map(({ id }) => id) ?? null,
});
