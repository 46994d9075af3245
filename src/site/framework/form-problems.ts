/** What is wrong with a form, field by field, all at once. */
import { ServiceError } from '../../errors.ts';
import type { Problems } from '../form-state.ts';

class FormProblems extends ServiceError {
  readonly problems: Problems;

  constructor(status: number, problems: Problems) {
    super(status, 'bad_request', 'Look at what is marked below.');
    this.problems = problems;
  }
}

/** As a form shows them: beside their fields, else above it. */
export const problemsOf = (error: ServiceError): Problems =>
  error instanceof FormProblems ? error.problems : { whole: error.message, fields: {} };

/**
 * @param checks by field; each returns the field's value or throws a ServiceError
 * @returns the values
 * @throws FormProblems if any was wrong
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

/** Puts a refusal beside the field that it is about. */
export async function beside<T>(
  field: string,
  isAbout: (refusal: ServiceError) => boolean,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError) || !isAbout(error)) throw error;
    throw new FormProblems(error.status, { fields: { [field]: error.message } });
  }
}
