/**
 * Forms: each field with its label, its hint and what was wrong with it, tied together for screen
 * readers. They work without script.
 */
import type { FormState } from './form-state.ts';
import { html, Html, type HtmlValue } from './html.ts';

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'search' | 'number';
  /** https://html.spec.whatwg.org/#autofill */
  autocomplete?: string;
  hint?: HtmlValue;
  /** Where nothing was filled in before */
  value?: string;
  minlength?: number;
  maxlength?: number;
  /** Of a number */
  min?: number;
  max?: number;
  /** It may be left empty */
  optional?: true;
  autofocus?: boolean;
}

/** A line to be filled in. What was typed as a password is not sent back. */
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
      ${described(name, hint, problem)}
    />
    ${problemText(name, problem)}
  </div>`;
}

export interface Choice {
  value: string;
  label: HtmlValue;
  hint?: HtmlValue;
}

/** One of several. */
export function selectField(
  { name, label, hint, value }: Pick<Field, 'name' | 'label' | 'hint' | 'value'>,
  choices: readonly { value: string; label: string }[],
  state: FormState,
): Html {
  const chosen = state.value(name, value);
  const problem = state.problem(name);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <select id="${name}" name="${name}" ${described(name, hint, problem)}>
      ${choices.map(
        (choice) =>
          html`<option value="${choice.value}" ${choice.value === chosen && html`selected`}>
            ${choice.label}
          </option>`,
      )}
    </select>
    ${problemText(name, problem)}
  </div>`;
}

/** Choices in plain sight: one of them (`radio`) or any number (`checkbox`). */
export function choices(
  group: { type: 'radio' | 'checkbox'; name: string; legend: string; value?: string },
  of: readonly Choice[],
  state: FormState,
): Html {
  const { type, name, legend } = group;
  const sent = state.values(name);
  const chosen = sent.length > 0 || group.value === undefined ? sent : [group.value];
  const problem = state.problem(name);
  return html`<fieldset class="field" ${described(name, undefined, problem)}>
    <legend>${legend}</legend>
    ${of.map(
      ({ value, label, hint }) =>
        html`<label class="choice">
          <input
            type="${type}"
            name="${name}"
            value="${value}"
            ${chosen.includes(value) && html`checked`}
          />
          <span>${label}${hint && html`<span class="hint">${hint}</span>`}</span>
        </label>`,
    )}
    ${problemText(name, problem)}
  </fieldset>`;
}

export const described = (name: string, hint: HtmlValue, problem: string | undefined) => {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean);
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem && html`aria-invalid="true"`}`;
};

export const problemText = (name: string, problem: string | undefined) =>
  problem && html`<p class="problem" id="${name}-problem">${problem}</p>`;

/** What was wrong with a form as a whole, read out at once. */
export const wholeProblem = ({ whole }: FormState) =>
  whole && html`<p class="notice bad" role="alert">${whole}</p>`;

/** A form of one button, such as in each row of a table. */
export function buttonForm(
  action: string,
  fields: Readonly<Record<string, string>>,
  button: { label: string; /** What it acts on, for who cannot see the row */ about?: string },
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

/** A text of several lines, or a longer one, to be taken away. */
export function copyableBlock(id: string, label: string, text: string): Html {
  // Pages lose their templates' indentation, but this one's own stays.
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
 * A text to be taken away: selected whole by a click, and copied where scripts run.
 * @param look `first`: what the page is about, to be begun at; `more`: one of several
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
