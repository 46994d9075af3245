/** The version of a plan, which an edit must name. */
import { EXIT, Failure } from '../../failure.ts';
import { parseJson } from '../../json.ts';

export function versionOf(bytes: Buffer): number {
  const { version } = (parseJson(bytes) ?? {}) as { version?: unknown };
  if (typeof version === 'number') return version;
  throw new Failure(
    EXIT.other,
    'Could not read the plan: it has no version. Check that TERRITORY_URL is the address of the service.',
  );
}
