/** What a form shows besides its fields: what was filled in before, and what was wrong with it. */

export interface Problems {
  /** About the form as a whole */
  whole?: string;
  /** By the name of the field that they stand beside */
  fields: Readonly<Record<string, string>>;
}

export class FormState {
  /** Of a form that nobody has sent yet */
  static readonly EMPTY = new FormState(null, new URLSearchParams(), { fields: {} });

  readonly #action: string | null;
  readonly #sent: URLSearchParams;
  readonly #problems: Problems;

  /** @param action path that it was sent to; of several forms on a page this one it is about */
  constructor(action: string | null, sent: URLSearchParams, problems: Problems) {
    this.#action = action;
    this.#sent = sent;
    this.#problems = problems;
  }

  /** As it concerns the form that is sent to a path. */
  of(action: string): FormState {
    return action === this.#action ? this : FormState.EMPTY;
  }

  /** All of them, as they were filled in */
  get fields(): URLSearchParams {
    return this.#sent;
  }

  /** Nobody has sent a form of the page yet. */
  get isUnsent(): boolean {
    return this.#action === null;
  }

  /** As it was filled in */
  value(field: string, otherwise = ''): string {
    return this.#sent.get(field) ?? otherwise;
  }

  values(field: string): string[] {
    return this.#sent.getAll(field);
  }

  problem(field: string): string | undefined {
    return this.#problems.fields[field];
  }

  get whole(): string | undefined {
    return this.#problems.whole;
  }
}
