/** A text of several lines to be filled in, as `textField` is for one. */
import type { FormState } from '../form-state.ts';
import { html, type Html, type HtmlValue } from '../html.ts';

export interface TextArea {
  name: string;
  label: string;
  hint?: HtmlValue;
  value?: string;
  rows?: number;
  maxlength?: number;
  required?: boolean;
}

export function textArea(area: TextArea, state: FormState): Html {
  const { name, label, hint, rows = 4, maxlength, required = false } = area;
  const problem = state.problem(name);
  const about = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      ${maxlength && html`maxlength="${maxlength}"`}
      ${required && html`required`}
      ${about.length > 0 && html`aria-describedby="${about.join(' ')}"`}
      ${problem && html`aria-invalid="true" autofocus`}
    >
${state.value(name, area.value)}</textarea>
    ${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
  </div>`;
}
