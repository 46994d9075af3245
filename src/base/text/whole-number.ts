/**
 * Reads a whole number in digits, such as `10`. Some clients and spreadsheets write `10.0`.
 * @returns undefined for other texts, and outside the range
 */
export function readWholeNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,16}(\.0+)?$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) && value! >= min && value! <= max ? value : undefined;
}
