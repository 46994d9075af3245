/** A multi-line text field. */
import type { FormState } from '../form-state.ts';
import { describedBy, problemMessage } from '../forms.ts';
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
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      ${maxlength && html`maxlength="${maxlength}"`}
      ${required && html`required`}
      ${problem && html`autofocus`}
      ${describedBy(name, hint, problem)}
    >
${state.value(name, area.value)}</textarea>
    ${problemMessage(name, problem)}
  </div>`;
}
