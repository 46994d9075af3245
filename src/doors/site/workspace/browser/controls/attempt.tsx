/** Requests that people start in a dialog or a panel, with the reason if one is refused. */
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../requests.ts';

interface Attempts {
  /** Sends a request, and stores the reason if it is refused. */
  attempt: (work: () => Promise<unknown>) => Promise<void>;
  isWorking: boolean;
  /** Reason why the last request was refused */
  refusal: string | null;
}

export function useAttempt(): Attempts {
  const [isWorking, setWorking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const attempt = async (work: () => Promise<unknown>) => {
    setRefusal(null);
    setWorking(true);
    try {
      await work();
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setWorking(false);
    }
  };
  return { attempt, isWorking, refusal };
}

/** Loads a value when a part of the page opens, and again after each change. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [value, setValue] = useState<T | null>(null);
  const { attempt, isWorking, refusal } = useAttempt();
  const reload = async () => setValue(await load());
  useEffect(() => void attempt(reload), []);
  /**
   * A change may be refused because of someone else's change, so the value is also loaded again after a
   * refusal.
   */
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      try {
        await work();
      } catch (error) {
        // The reason matters more than a failure to load.
        await reload().catch(() => {});
        throw error;
      }
      await reload();
    });
  return { value, change, reload, isWorking, refusal };
}

export function RefusalText({ children }: { children: string | null }) {
  if (children === null) return null;
  return (
    <p class="refusal" role="alert">
      {children}
    </p>
  );
}
