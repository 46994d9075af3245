/** The values and problems to show in a form that was submitted with errors. */

export interface Problems {
  /** Problem with the form as a whole */
  whole?: string;
  /** Problems by field name */
  fields: Readonly<Record<string, string>>;
}

/**
 * Maximum length of repeated values. The longest lists of ZIP codes have 40,000 characters, and escaping a
 * megabyte for the page would block the process.
 */
const MAX_REPEATED_LENGTH = 50_000;

const repeatable = (text: string) => (text.length <= MAX_REPEATED_LENGTH ? text : '');

export class FormState {
  /** State of a form that hasn't been submitted */
  static readonly EMPTY = new FormState(null, new URLSearchParams(), { fields: {} });

  /** The state of a form that hasn't been submitted, with the values to edit */
  static unsent(values: [string, string][]): FormState {
    return new FormState(null, new URLSearchParams(values), { fields: {} });
  }

  readonly #action: string | null;
  readonly #values: URLSearchParams;
  readonly #problems: Problems;

  /** @param action path that the form was submitted to; distinguishes several forms on a page */
  constructor(action: string | null, values: URLSearchParams, problems: Problems) {
    this.#action = action;
    this.#values = values;
    this.#problems = problems;
  }

  /**
   * Returns the state for the form with this action. It's the empty state if another form was submitted.
   */
  of(action: string): FormState {
    return action === this.#action ? this : FormState.EMPTY;
  }

  get fields(): URLSearchParams {
    return this.#values;
  }

  get isUnsent(): boolean {
    return this.#action === null;
  }

  value(field: string, fallback = ''): string {
    return repeatable(this.#values.get(field) ?? fallback);
  }

  values(field: string): string[] {
    return this.#values.getAll(field).map(repeatable);
  }

  problem(field: string): string | undefined {
    return this.#problems.fields[field];
  }

  /** Whether a field has a problem. That field gets the focus */
  get hasFieldProblem(): boolean {
    return Object.keys(this.#problems.fields).length > 0;
  }

  get whole(): string | undefined {
    return this.#problems.whole;
  }
}
