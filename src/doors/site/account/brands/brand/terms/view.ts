/** What agreements grant a brand in its ZIP codes, and until when. */
import { daysBetween, formatDay } from '../../../../../../base/text/days.ts';
import { pluralize } from '../../../../../../base/text/words.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import { TOLD_BEFORE_DAYS } from '../../../../../../territories/brands/terms/keep-terms.ts';
import {
  GRANTS,
  grantWord,
  type AtEnd,
  type Grant,
  type ZipTerms,
} from '../../../../../../territories/brands/terms/terms.ts';
import type { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { formOf, menu, oneChoice, text } from '../../../../framework/fields.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { records, type Column } from '../../../../records.ts';
import type { AccountContent } from '../../../frame.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import { brandPageOf, brandPath } from '../frame.ts';

export const TERMS_PATH = '/account/brands/{brand}/terms';

const orNull = <Value extends string>(given: string) => (given === '' ? null : (given as Value));

export const TERMS = formOf({
  zips: text<string[]>(
    {
      name: 'zips',
      label: 'ZIP codes',
      optional: true,
      hint: 'Such as 75201, 75204. Empty: all that the brand holds live.',
    },
    (given) => given.split(/[\s,;]+/).filter((zip) => zip !== ''),
    (zips) => zips.join(', '),
  ),
  granted: {
    ...menu({ name: 'granted', label: 'Kind of grant' }, [
      { value: '', label: 'Not stated' },
      ...GRANTS.map((value) => ({ value, label: grantWord(value)! })),
    ]),
    read: (sent: URLSearchParams) => orNull<Grant>(sent.get('granted') ?? ''),
    entries: (value: Grant | null) => [['granted', value ?? ''] as [string, string]],
  },
  endsOn: text<string | null>(
    { name: 'endsOn', label: 'Last day', type: 'date', optional: true, hint: 'Empty: no end.' },
    orNull,
  ),
  atEnd: oneChoice<AtEnd>({ name: 'atEnd', legend: 'After the last day', value: 'told' }, [
    { value: 'told', label: 'People are told', hint: 'Reviewers and the brand’s people decide' },
    { value: 'ends', label: 'The holding ends', hint: 'The brand loses the ZIP codes' },
  ]),
  note: text<string | null>(
    {
      name: 'note',
      label: 'Note',
      optional: true,
      maxlength: 200,
      hint: 'Such as the number of the agreement.',
    },
    orNull,
  ),
});

interface TermsContent {
  form: FormState;
  brand: Brand;
  terms: readonly ZipTerms[];
  /** `2026-11-30` */
  today: string;
  /** Reason why the viewer can't change the terms; undefined if they can */
  refusal: string | undefined;
}

export function termsPage(content: TermsContent, links: Links): AccountContent {
  const { form, brand, refusal } = content;
  const main = html`${wholeProblem(form)}
    <section aria-labelledby="terms-title">
      <h2 id="terms-title">Terms</h2>
      <p>
        What agreements grant in live ZIP codes, and until when. Exhibits and lookups show it.
        ${pluralize(TOLD_BEFORE_DAYS, 'day')} before an end, reviewers and the brand’s people are
        told. <a href="${links.page('/docs/over-time')}#terms">How terms work</a>
      </p>
      ${termsTable(content)}
    </section>
    <section aria-labelledby="set-title">
      <h2 id="set-title">Set terms</h2>
      ${
        refusal === undefined
          ? html`<form
              method="post"
              class="narrow"
              action="${links.page(brandPath(brand, '/terms'))}"
            >
              ${TERMS.html(form.of(TERMS_PATH), {})}
              <button class="button">Set terms</button>
            </form>`
          : refusalNotice(refusal)
      }
    </section>`;
  return brandPageOf({ brand, under: '/terms', main }, links);
}

function termsTable({ brand, terms, today }: TermsContent): Html {
  if (terms.length === 0) return html`<p class="quiet">No ZIP code of ${brand.name} has terms.</p>`;
  const columns: Column<ZipTerms>[] = [
    { heading: 'ZIP code', cell: ({ zip }) => zip },
    { heading: 'Grant', cell: ({ granted }) => grantWord(granted) ?? '–' },
    { heading: 'Last day', cell: ({ endsOn }) => (endsOn === null ? '–' : formatDay(endsOn)) },
    { heading: 'Then', cell: (one) => afterwards(one, today) },
    { heading: 'Note', cell: ({ note }) => note ?? '' },
  ];
  return records('Terms', columns, terms);
}

function afterwards({ endsOn, atEnd }: ZipTerms, today: string): string {
  if (endsOn === null) return '–';
  const left = daysBetween(today, endsOn);
  const when = left < 0 ? 'ended' : left === 0 ? 'today' : `in ${pluralize(left, 'day')}`;
  return `${atEnd === 'ends' ? 'It ends' : 'People are told'}, ${when}`;
}
