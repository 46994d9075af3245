/**
 * Does the work for each item in turn, so that a failure of one, such as an organization, doesn't hold up the others.
 * @throws the first error, after the last item
 */
export async function attemptEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
