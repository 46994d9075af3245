/**
 * A form as a table of fields, each declared once: its control, its limits and sentences, and how its value is read
 * and shown again. From the table come the form's HTML, its reading, and its state for edits.
 */
import { badRequest } from '../../../errors.ts';
import { FormState } from '../form-state.ts';
import {
  choices,
  selectField,
  textField,
  type Choice,
  type Field,
  type MenuChoice,
} from '../forms.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { checkedFields, oneOf } from './form-problems.ts';

type Entries = [name: string, value: string][];

/** @typeParam Context what a field depends on besides its value, such as the brands to choose from */
interface FormField<Value, Context> {
  /** Of the control that shows the problem with the value */
  name: string;
  html(state: FormState, context: Context): HtmlValue;
  /** @throws ServiceError 400, which is shown at the field */
  read(sent: URLSearchParams): Value;
  /** The sent fields that `read` turns into this value */
  entries(value: Value): Entries;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Fields<Context> = Readonly<Record<string, FormField<any, Context>>>;

type ValuesOf<Table> = {
  -readonly [Name in keyof Table]: Table[Name] extends FormField<infer Value, never>
    ? Value
    : never;
};

interface FormOf<Values, Context> {
  /** @param edited the values to edit, for a form that hasn't been sent */
  html(state: FormState, context: Context, edited?: Values): Html;
  /** @throws ServiceError 400 with each problem at its field */
  read(sent: URLSearchParams): Values;
}

export function formOf<Context, Table extends Fields<Context>>(
  table: Table & Fields<Context>,
): FormOf<ValuesOf<Table>, Context> {
  const fields = Object.entries(table);
  return {
    html(state, context, edited) {
      const entries = edited
        ? fields.flatMap(([name, field]) => field.entries(edited[name as keyof Table]))
        : [];
      const shown = edited && state.isUnsent ? FormState.unsent(entries) : state;
      return html`${fields.map(([, field]) => field.html(shown, context))}`;
    },
    read(sent) {
      const checks = fields.map(([, field]) => [field.name, () => field.read(sent)] as const);
      const checked = checkedFields(Object.fromEntries(checks));
      const values = fields.map(([key, field]) => [key, checked[field.name]]);
      return Object.fromEntries(values) as ValuesOf<Table>;
    },
  };
}

/** A line of text. @param read checks it @param show the text of a value */
export const text = <Value = string>(
  field: Field,
  read: (text: string) => Value = (text) => text as Value,
  show: (value: Value) => string = (value) => String(value ?? ''),
): FormField<Value, unknown> => ({
  name: field.name,
  html: (state) => textField({ autocomplete: 'off', ...field }, state),
  read: (sent) => read(sent.get(field.name) ?? ''),
  entries: (value) => [[field.name, show(value)]],
});

/** One of a menu. @param value the initial one */
export const menu = <Value extends string>(
  field: { name: string; label: string; hint?: HtmlValue; value?: Value },
  options: readonly (MenuChoice & { value: Value })[],
): FormField<Value, unknown> => ({
  name: field.name,
  html: (state) => selectField(field, options, state),
  read: (sent) =>
    oneOf(
      options.map(({ value }) => value),
      sent.get(field.name),
    ),
  entries: (value) => [[field.name, value]],
});

/** One of a menu that depends on the context. Its value isn't checked. @param value the initial one */
export const menuOf = <Context>(
  field: { name: string; label: string; value: (context: Context) => string },
  options: (context: Context) => readonly MenuChoice[],
): FormField<string, Context> => ({
  name: field.name,
  html: (state, context) =>
    selectField({ ...field, value: field.value(context) }, options(context), state),
  read: (sent) => sent.get(field.name) ?? '',
  entries: (value) => [[field.name, value]],
});

/** One of several choices, all in view. @param group `value` is the initial one */
export const oneChoice = <Value extends string>(
  group: { name: string; legend: string; value: Value },
  options: readonly (Choice & { value: Value })[],
): FormField<Value, unknown> => ({
  name: group.name,
  html: (state) => choices({ type: 'radio', ...group }, options, state),
  read: (sent) =>
    oneOf(
      options.map(({ value }) => value),
      sent.get(group.name),
    ),
  entries: (value) => [[group.name, value]],
});

/** Some of several choices, at least one. @param missing the problem without any */
export const someChoices = <Value extends string, Context>(
  group: { name: string; legend: string; missing: string },
  options: (context: Context) => readonly Choice[],
): FormField<readonly Value[], Context> => ({
  name: group.name,
  html: (state, context) => choices({ type: 'checkbox', ...group }, options(context), state),
  read: (sent) => {
    const chosen = sent.getAll(group.name) as Value[];
    if (chosen.length > 0) return chosen;
    throw badRequest(group.missing);
  },
  entries: (values) => values.map((value) => [group.name, value]),
});

/** A box to check. */
export const box = (
  { name, legend }: { name: string; legend: string },
  choice: Omit<Choice, 'value'>,
): FormField<boolean, unknown> => ({
  name,
  html: (state) =>
    choices({ type: 'checkbox', name, legend }, [{ value: 'yes', ...choice }], state),
  read: (sent) => sent.get(name) === 'yes',
  entries: (isChecked) => (isChecked ? [[name, 'yes']] : []),
});

/**
 * All, including future ones, or only some. Without options, only all can be chosen. The value for all is null.
 * @param all the name of the choice between them, and the labels of its two options
 */
export function allOrSome<Value extends string, Context>(
  all: { name: string; legend: string; all: string; hint: string; some: string },
  group: { name: string; legend: string; missing: string },
  options: (context: Context) => readonly Choice[],
): FormField<readonly Value[] | null, Context> {
  const some = someChoices<Value, Context>(group, options);
  const ways = [
    { value: 'all', label: all.all, hint: all.hint },
    { value: 'some', label: all.some },
  ] as const;
  return {
    name: group.name,
    html: (state, context) => {
      const hasOptions = options(context).length > 0;
      return html`${choices(
        { type: 'radio', name: all.name, legend: all.legend, value: 'all' },
        hasOptions ? ways : ways.slice(0, 1),
        state,
      )}
      ${hasOptions && html`<div class="some-of">${some.html(state, context)}</div>`}`;
    },
    read: (sent) =>
      oneOf(['all', 'some'], sent.get(all.name) ?? 'all') === 'all' ? null : some.read(sent),
    entries: (values) =>
      values === null ? [[all.name, 'all']] : [[all.name, 'some'], ...some.entries(values)],
  };
}

/** All brands or only some, by id */
export const brandsOrAll = (words: {
  hint: string;
  legend: string;
}): FormField<readonly string[] | null, BrandsToChoose> =>
  allOrSome(
    {
      name: 'scope',
      legend: words.legend,
      all: 'All brands',
      hint: words.hint,
      some: 'Only these brands',
    },
    {
      name: 'brand',
      legend: 'These brands',
      missing: 'Choose at least one brand, or choose all brands above.',
    },
    brandChoices,
  );

interface BrandsToChoose {
  brands: readonly { id: string; name: string }[];
}

export const brandChoices = ({ brands }: BrandsToChoose): Choice[] =>
  brands.map(({ id, name }) => ({ value: id, label: name }));
