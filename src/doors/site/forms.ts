/**
 * Form fields with label, hint, and problem, which are connected for screen readers. They need no script.
 */
import type { FormState } from './form-state.ts';
import { html, Html, type HtmlValue } from './html.ts';

interface Labeled {
  name: string;
  label: string;
  hint?: HtmlValue;
  /** Initial value */
  value?: string;
  optional?: true;
}

export interface Field extends Labeled {
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date';
  /** https://html.spec.whatwg.org/#autofill */
  autocomplete?: string;
  minlength?: number;
  maxlength?: number;
  /** Range of a number, or of days such as `2027-03-31` */
  min?: number | string;
  max?: number | string;
  autofocus?: boolean;
}

/** A single-line input. A submitted password is never sent back. */
export function textField(field: Field, state: FormState): Html {
  const { name, type = 'text', autocomplete, minlength, maxlength } = field;
  const value = type === 'password' ? undefined : state.value(name, field.value);
  const control = (description: Html) =>
    html`<input
      id="${name}"
      name="${name}"
      type="${type}"
      ${value && html`value="${value}"`}
      ${autocomplete && html`autocomplete="${autocomplete}"`}
      ${minlength && html`minlength="${minlength}"`}
      ${maxlength && html`maxlength="${maxlength}"`}
      ${type === 'number' && html`inputmode="numeric"`}
      ${field.min !== undefined && html`min="${field.min}"`}
      ${field.max !== undefined && html`max="${field.max}"`}
      ${(type === 'email' || type === 'password') && html`spellcheck="false" autocapitalize="none"`}
      ${!field.optional && html`required`}
      ${isFocused(field, state) && html`autofocus`}
      ${description}
    />`;
  return withLabel(field, state, type === 'password' ? withShowButton(field, control) : control);
}

/** Adds the button that shows the password. The script `browser/show-password.ts` makes it appear. */
const withShowButton =
  ({ name, label }: Field, control: (description: Html) => Html) =>
  (description: Html) =>
    html`<div class="password">
      ${control(description)}
      <button type="button" class="quiet-button" aria-controls="${name}" data-show-password hidden>
        <span>Show</span><span class="visually-hidden"> ${label}</span>
      </button>
    </div>`;

/** A field with a problem takes precedence over the usual one. */
const isFocused = ({ name, autofocus = false }: Field, state: FormState) =>
  state.hasFieldProblem ? state.problem(name) !== undefined : autofocus;

/** A multi-line input. */
export function textArea(
  field: Labeled & { rows: number; maxlength?: number },
  state: FormState,
): Html {
  const { name, rows, maxlength, optional, value } = field;
  return withLabel(
    field,
    state,
    (description) =>
      html`<textarea
        id="${name}"
        name="${name}"
        rows="${rows}"
        ${maxlength && html`maxlength="${maxlength}"`}
        ${!optional && html`required`}
        ${state.problem(name) && html`autofocus`}
        ${description}
      >
${state.value(name, value)}</textarea>`,
  );
}

/** A menu of choices. */
export const selectField = (
  field: Labeled,
  choices: readonly MenuChoice[],
  state: FormState,
): Html =>
  withLabel(
    field,
    state,
    (description) =>
      html`<select id="${field.name}" name="${field.name}" ${description}>
        ${menuOptions(choices, state.value(field.name, field.value))}
      </select>`,
  );

export interface MenuChoice {
  value: string;
  label: string;
}

export const menuOptions = (choices: readonly MenuChoice[], selected: string | undefined) =>
  choices.map(
    ({ value, label }) =>
      html`<option value="${value}" ${value === selected && html`selected`}>${label}</option>`,
  );

/**
 * A control with its label, hint, and problem. @param control receives the attributes that refer to these
 */
function withLabel(
  { name, label, hint }: Labeled,
  state: FormState,
  control: (description: Html) => Html,
): Html {
  const problem = state.problem(name);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${control(describedBy(name, hint, problem))} ${problemMessage(name, problem)}
  </div>`;
}

export interface Choice {
  value: string;
  label: HtmlValue;
  hint?: HtmlValue;
}

/** Longer lists of choices scroll. */
const MANY = 15;

/** A list of choices. One (`radio`) or several (`checkbox`) can be selected. */
export function choices(
  group: {
    type: 'radio' | 'checkbox';
    name: string;
    legend: string;
    /** Initial selection */
    value?: string | readonly string[];
  },
  options: readonly Choice[],
  state: FormState,
): Html {
  const { type, name, legend } = group;
  const submitted = state.values(name);
  const initial = [group.value ?? []].flat();
  const selected = submitted.length > 0 ? submitted : initial;
  const problem = state.problem(name);
  return html`<fieldset
    class="field ${options.length > MANY && 'long'}"
    ${describedBy(name, undefined, problem)}
  >
    <legend>${legend}</legend>
    ${options.map(
      ({ value, label, hint }) =>
        html`<label class="choice">
          <input
            type="${type}"
            name="${name}"
            value="${value}"
            ${selected.includes(value) && html`checked`}
          />
          <span>${label}${hint && html`<span class="hint">${hint}</span>`}</span>
        </label>`,
    )}
    ${problemMessage(name, problem)}
  </fieldset>`;
}

const describedBy = (name: string, hint: HtmlValue, problem: string | undefined) => {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean);
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem && html`aria-invalid="true"`}`;
};

const problemMessage = (name: string, problem: string | undefined) =>
  problem && html`<p class="problem" id="${name}-problem">${problem}</p>`;

/** Shows the problem with a form as a whole. Screen readers announce it. */
export const wholeProblem = ({ whole }: FormState) =>
  whole && html`<p class="notice bad" role="alert">${whole}</p>`;

/** A form that consists of a single button, as in table rows. */
export function buttonForm(
  action: string,
  fields: Readonly<Record<string, string>>,
  button: { label: string; /** Names the row to screen readers */ about?: string },
): Html {
  return html`<form method="post" action="${action}" class="inline">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button class="quiet-button">
      ${button.label}${
        button.about !== undefined && html`<span class="visually-hidden"> ${button.about}</span>`
      }
    </button>
  </form>`;
}

/** A block of text with a copy button. */
export function copyableBlock(id: string, label: string, text: string): Html {
  // Pages drop the indentation of their templates. Line breaks written as entities preserve that of the
  // text.
  const lines = text.split('\n').map((line, i) => [i > 0 && new Html('&#10;'), line]);
  return html`<div class="copyable">
    <div class="copy-head">
      <span id="${id}-label">${label}</span>
      <button type="button" class="quiet-button" data-copy="${id}" hidden>
        Copy<span class="visually-hidden"> ${label}</span>
      </button>
    </div>
    <pre id="${id}" tabindex="0" aria-labelledby="${id}-label"><code>${lines}</code></pre>
    <p class="hint" role="status"></p>
  </div>`;
}

/**
 * A line of text with a copy button. A click selects the text.
 * @param look `first` for the main content of the page, which gets the focus
 */
export function copyable(
  id: string,
  label: string,
  text: string,
  look: 'first' | 'more' = 'first',
): Html {
  return html`<div class="field copyable">
    <label for="${id}">${label}</label>
    <div class="copy-line">
      <input
        id="${id}"
        class="code"
        value="${text}"
        readonly
        ${look === 'first' && html`autofocus`}
      />
      <button
        type="button"
        class="${look === 'first' ? 'button' : 'quiet-button'}"
        data-copy="${id}"
        hidden
      >
        Copy<span class="visually-hidden"> ${label}</span>
      </button>
    </div>
    <p class="hint" role="status"></p>
  </div>`;
}
