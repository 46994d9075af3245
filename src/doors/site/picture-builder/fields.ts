/** The fields of the picture builder, generated from the schemas of the operation. */
import { describeParameters } from '../../../base/contract/openapi.ts';
import { z } from 'zod';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import { PICTURE_FORMATS } from '../../../render/scene.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { SIDE_PX, staticOptions } from '../../../territories/static/options.ts';
import { SUBJECTS } from '../../../territories/static/subject.ts';
import { selectField, textArea, textField, type MenuChoice } from '../forms.ts';
import type { FormState } from '../form-state.ts';
import { html, type Html } from '../html.ts';

/** Brands and share links of the signed-in person */
export interface OwnSubjects {
  brands: readonly { slug: string; name: string }[];
  shares: readonly { code: string; name: string }[];
}

/** The next field contains the subject. */
const OTHER = 'other';

const DEFAULTS: Readonly<Record<string, string>> = {
  what: 'metro:dallas-tx',
  vertical: 'roofing',
  style: 'light',
  view: 'auto',
  width: '600',
  height: '400',
  ratio: '@2x',
  format: 'png',
};

export function builderFields(own: OwnSubjects, state: FormState): Html {
  const value = (name: string) => state.value(name, DEFAULTS[name]);
  const group = (label: string, choices: readonly MenuChoice[]) =>
    choices.length > 0 &&
    html`<optgroup label="${label}">
      ${choices.map(
        (choice) =>
          html`<option value="${choice.value}" ${choice.value === value('what') && html`selected`}>
            ${choice.label}
          </option>`,
      )}
    </optgroup>`;
  const menu = (name: string, label: string, choices: readonly MenuChoice[]) =>
    selectField({ name, label, value: DEFAULTS[name]! }, choices, state);
  const side = (name: string, label: string) =>
    textField(
      { name, label, type: 'number', min: SIDE_PX.min, max: SIDE_PX.max, value: DEFAULTS[name]! },
      state,
    );
  return html`<div class="field">
      <label for="what">Show</label>
      <select id="what" name="what">
        ${group(
          'Launched metros',
          launchedMetros().map(({ slug, label }) => ({ value: `metro:${slug}`, label })),
        )}
        ${group(
          'Your brands',
          own.brands.map(({ slug, name }) => ({ value: `brand:${slug}`, label: name })),
        )}
        ${group(
          'Your share links',
          own.shares.map(({ code, name }) => ({ value: `share:${code}`, label: name })),
        )}
        ${group('Anything else', [{ value: OTHER, label: 'ZIP codes or a state' }])}
      </select>
    </div>
    ${textField(
      {
        name: 'subject',
        label: 'ZIP codes or a state',
        optional: true,
        hint: html`Such as <code>zips:75201,75204</code> or <code>state:TX</code>`,
      },
      state,
    )}
    ${menu('vertical', 'Color by', [
      { value: '', label: 'One color, or status' },
      ...VERTICALS.map(({ slug, label }) => ({ value: slug, label: `${label} score` })),
    ])}
    <div class="pair">
      ${menu(
        'style',
        'Style',
        STYLE_NAMES.map((name) => ({ value: name, label: capitalize(name) })),
      )}
      ${menu(
        'format',
        'Format',
        PICTURE_FORMATS.map((name) => ({ value: name, label: name.toUpperCase() })),
      )}
    </div>
    <div class="triple">
      ${side('width', 'Width')} ${side('height', 'Height')}
      ${menu('ratio', 'Pixels', [
        { value: '', label: '1x' },
        { value: '@2x', label: '2x' },
        { value: '@3x', label: '3x' },
      ])}
    </div>
    ${textField(
      {
        name: 'view',
        label: 'View',
        value: DEFAULTS['view']!,
        hint: html`<code>auto</code>, <code>lng,lat,zoom</code>, or a box`,
      },
      state,
    )}
    <details ${OPTIONS.some(({ name }) => state.value(name) !== '') && html`open`}>
      <summary>Options</summary>
      ${OPTIONS.map((option) => optionField(option, state))}
    </details>`;
}

interface Option {
  name: string;
  label: string;
  description: string;
  /** Possible values; empty if any text is allowed */
  choices: readonly string[];
  isFlag: boolean;
  /** Value of a flag */
  isOn: boolean;
}

const OPTIONS: readonly Option[] = describeParameters(z.object(staticOptions), 'query').map(
  ({ name, description = '', schema }) => {
    const { enum: choices = [], default: fallback } = schema as {
      enum?: string[];
      default?: unknown;
    };
    return {
      name: String(name),
      label: capitalize(String(name)),
      description: String(description).replaceAll('`', ''),
      choices,
      isFlag: choices.includes('true') && fallback !== undefined,
      isOn: fallback === 'true',
    };
  },
);

function optionField({ name, label, description, ...option }: Option, state: FormState): Html {
  if (option.isFlag) {
    const changed = String(!option.isOn);
    return html`<label class="choice">
      <input
        type="checkbox"
        name="${name}"
        value="${changed}"
        ${state.value(name) === changed && html`checked`}
      />
      <span>${option.isOn ? `Without ${name}` : label}</span>
    </label>`;
  }
  if (option.choices.length > 0) {
    const choices = option.choices.map((value) => ({ value, label: capitalize(value) }));
    const all = [{ value: '', label: 'Default' }, ...choices];
    return selectField({ name, label, hint: description }, all, state);
  }
  const field = { name, label, hint: description, optional: true } as const;
  return name === 'overlay' ? textArea({ ...field, rows: 3 }, state) : textField(field, state);
}

/** The URL that the fields describe, relative to the API root. It may be invalid. */
export function urlOfFields(fields: URLSearchParams): string {
  const value = (name: string) => (fields.get(name) ?? DEFAULTS[name] ?? '').trim();
  const what = value('what');
  const other = value('subject');
  const subject = what === OTHER ? other || SUBJECTS.zips.pattern : what;
  // A share link has its own colors, and a typed subject may already have a vertical.
  const mayHaveVertical = !what.startsWith('share:') && subject.split(':').length === 2;
  const vertical = value('vertical');
  const path = [
    value('style'),
    mayHaveVertical && vertical !== '' ? `${subject}:${vertical}` : subject,
    value('view'),
    `${value('width')}x${value('height')}${value('ratio')}.${value('format')}`,
  ];
  const options = OPTIONS.flatMap(({ name }) => {
    const text = value(name);
    return text === '' ? [] : [[name, text] as [string, string]];
  });
  const query = options.length > 0 ? `?${new URLSearchParams(options)}` : '';
  return `/static/${path.map(encodeSegment).join('/')}${query}`;
}

/** Keeps the characters that a path allows, so that URLs stay readable (RFC 3986, 3.3). */
const encodeSegment = (text: string) =>
  encodeURIComponent(text).replaceAll(/%(3A|2C|40)/g, decodeURIComponent);

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
