/** Form fields with label, hint, and problem, connected for screen readers. They need no script. */
import type { FormState } from './form-state.ts';
import { html, Html, type HtmlValue } from './html.ts';

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'search' | 'number';
  /** https://html.spec.whatwg.org/#autofill */
  autocomplete?: string;
  hint?: HtmlValue;
  /** Initial value */
  value?: string;
  minlength?: number;
  maxlength?: number;
  /** Range of a number */
  min?: number;
  max?: number;
  optional?: true;
  autofocus?: boolean;
}

/** An input on one line. A submitted password is never sent back. */
export function textField(field: Field, state: FormState): Html {
  const { name, label, type = 'text', autocomplete, hint, minlength, maxlength } = field;
  const problem = state.problem(name);
  const value = type === 'password' ? undefined : state.value(name, field.value);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <input
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
      ${(field.autofocus || problem) && html`autofocus`}
      ${describedBy(name, hint, problem)}
    />
    ${problemMessage(name, problem)}
  </div>`;
}

export interface Choice {
  value: string;
  label: HtmlValue;
  hint?: HtmlValue;
}

/** A menu of choices. */
export function selectField(
  { name, label, hint, value }: Pick<Field, 'name' | 'label' | 'hint' | 'value'>,
  choices: readonly { value: string; label: string }[],
  state: FormState,
): Html {
  const selected = state.value(name, value);
  const problem = state.problem(name);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <select id="${name}" name="${name}" ${describedBy(name, hint, problem)}>
      ${choices.map(
        (choice) =>
          html`<option value="${choice.value}" ${choice.value === selected && html`selected`}>
            ${choice.label}
          </option>`,
      )}
    </select>
    ${problemMessage(name, problem)}
  </div>`;
}

/** A list of choices, of which one (`radio`) or several (`checkbox`) can be selected. */
export function choices(
  group: { type: 'radio' | 'checkbox'; name: string; legend: string; value?: string },
  options: readonly Choice[],
  state: FormState,
): Html {
  const { type, name, legend } = group;
  const submitted = state.values(name);
  const initial = group.value === undefined ? [] : [group.value];
  const selected = submitted.length > 0 ? submitted : initial;
  const problem = state.problem(name);
  return html`<fieldset class="field" ${describedBy(name, undefined, problem)}>
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

export const describedBy = (name: string, hint: HtmlValue, problem: string | undefined) => {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean);
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem && html`aria-invalid="true"`}`;
};

export const problemMessage = (name: string, problem: string | undefined) =>
  problem && html`<p class="problem" id="${name}-problem">${problem}</p>`;

/** Shows the problem of a form as a whole; screen readers announce it. */
export const wholeProblem = ({ whole }: FormState) =>
  whole && html`<p class="notice bad" role="alert">${whole}</p>`;

/** A form that consists of one button, as in the rows of a table. */
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
  // Pages drop the indentation of their templates; line breaks as entities keep that of the text.
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
