/** A form that saves a plan under a name. */
import type { ComponentChildren } from 'preact';
import { RefusalText, useAttempt } from '../controls/attempt.tsx';

/** Maximum length of the names of plans, territories, and measures */
export const MAX_NAME = 120;

interface PlanNameFormProps {
  /** Label of the field. Default: `Name` */
  label?: string;
  /** Initial name in the field */
  first?: string;
  /** Label of the button */
  submit: string;
  /** Whether another button is the main one */
  isQuiet?: boolean;
  isDisabled?: boolean;
  /** Whether the field gets the focus, because a person has just opened the form */
  isFocused?: boolean;
  /** @throws Refusal, which the form shows */
  save: (name: string) => Promise<unknown>;
  /** Other fields */
  children?: ComponentChildren;
  /** Other buttons */
  more?: ComponentChildren;
}

export function PlanNameForm({
  label = 'Name',
  first = '',
  submit,
  isQuiet = false,
  isDisabled = false,
  isFocused = false,
  save,
  children,
  more,
}: PlanNameFormProps) {
  const { attempt, isWorking, refusal } = useAttempt();
  return (
    <form
      class="plan-name"
      onSubmit={(event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget).get('name'));
        if (!isWorking) void attempt(() => save(name));
      }}
    >
      <label>
        {label}
        <input
          type="text"
          name="name"
          ref={isFocused ? select : null}
          required
          maxLength={MAX_NAME}
          defaultValue={first.slice(0, MAX_NAME)}
        />
      </label>
      {children}
      <RefusalText>{refusal}</RefusalText>
      <div class="buttons">
        <button
          type="submit"
          class={isQuiet ? 'quiet-button' : 'button'}
          disabled={isWorking || isDisabled}
        >
          {submit}
        </button>
        {more}
      </div>
    </form>
  );
}

/** Runs before the next frame, so that nothing typed right after the form opened is lost. */
const select = (field: HTMLInputElement | null) => field?.select();
