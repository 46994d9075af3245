/** Problems with a form, reported for all fields at once. */
import { badRequest, ServiceError } from '../../../errors.ts';
import type { Problems } from '../form-state.ts';

class FormProblems extends ServiceError {
  readonly problems: Problems;

  constructor(status: number, problems: Problems) {
    super(status, 'bad_request', 'Correct the marked fields.');
    this.problems = problems;
  }
}

/** Returns the problems of a failed form: at their fields if known, otherwise about the whole form. */
export const problemsOf = (error: ServiceError): Problems =>
  error instanceof FormProblems ? error.problems : { whole: error.message, fields: {} };

/**
 * @param checks by field; each returns the field's value or throws a ServiceError
 * @returns the values
 * @throws FormProblems with the messages of all failed checks
 */
export function checkedFields<Checks extends Record<string, () => unknown>>(
  checks: Checks,
): { [Name in keyof Checks]: ReturnType<Checks[Name]> } {
  const fields: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(checks)) {
    try {
      values[name] = check();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      fields[name] = error.message;
    }
  }
  if (Object.keys(fields).length > 0) throw new FormProblems(400, { fields });
  return values as { [Name in keyof Checks]: ReturnType<Checks[Name]> };
}

/** Shows an error at its field if `isAbout` returns true. */
export async function showAtField<T>(
  field: string,
  isAbout: (error: ServiceError) => boolean,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError) || !isAbout(error)) throw error;
    throw new FormProblems(error.status, { fields: { [field]: error.message } });
  }
}

export const isConflict = ({ status }: ServiceError) => status === 409;

/** @throws ServiceError 400 if the value is not one of the choices */
export function oneOf<Choice extends string>(
  choices: readonly Choice[],
  value: string | null,
): Choice {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw badRequest(`Choose one of ${choices.join(', ')}.`);
}
