/** The day on which a change goes live, in the dialogs that make one. */

/** `2027-01-01`, in the time zone of the browser */
const dayText = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

function tomorrow(): string {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  return dayText(date);
}

interface DayFieldProps {
  /** `2027-01-01`, or empty */
  value: string;
  onChange: (day: string) => void;
}

export function DayField({ value, onChange }: DayFieldProps) {
  return (
    <label class="day-field">
      Goes live on (optional)
      <input
        type="date"
        name="on"
        min={tomorrow()}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span class="quiet small">Without a day, the change goes live as soon as it’s approved.</span>
    </label>
  );
}

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `January 1, 2027`. @param day `2027-01-01` */
export const longDay = (day: string): string => long.format(new Date(`${day}T00:00:00Z`));

/**
 * Says when a change takes effect.
 * @param on `2027-01-01`, or empty
 */
export function whenText(on: string, needsReview: boolean): string {
  if (on === '') {
    return needsReview
      ? 'A reviewer decides on the change as one, and it goes live when it’s approved.'
      : 'The change goes live at once.';
  }
  return needsReview
    ? `A reviewer decides on the change as one. Once approved, it goes live on ${longDay(on)}.`
    : `The change goes live on ${longDay(on)}.`;
}
