/** Keeps the page that a person asked for during sign-in and sign-up. */
import type { FormState } from '../form-state.ts';
import { html } from '../html.ts';

export const nextOf = (query: URLSearchParams, form: FormState) =>
  form.value('next', query.get('next') ?? '');

export const nextField = (next: string) =>
  next !== '' && html`<input type="hidden" name="next" value="${next}" />`;

export const withNext = (page: string, next: string) =>
  next === '' ? page : `${page}?${new URLSearchParams({ next })}`;
