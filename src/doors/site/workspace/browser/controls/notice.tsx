/** A notice over the map about the last action, with an undo where possible. */
import { useEffect } from 'preact/hooks';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

/** Time after which a notice disappears. One with an action stays until it is dismissed. */
const SHOWN_MS = 6_000;

export function NoticeBar() {
  const notice = useStore((state) => state.notice);
  const dismiss = () => store.update({ notice: null });
  useEffect(() => {
    if (!notice || notice.action) return undefined;
    const timer = setTimeout(dismiss, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notice-bar" role="status">
      {notice && (
        <p>
          {notice.text}{' '}
          {notice.action && (
            <button
              type="button"
              class="link-button"
              onClick={() => {
                dismiss();
                notice.action?.run();
              }}
            >
              {notice.action.label}
            </button>
          )}
          <button type="button" class="dismiss" onClick={dismiss}>
            <span class="visually-hidden">Dismiss</span>
            <span aria-hidden="true">×</span>
          </button>
        </p>
      )}
    </div>
  );
}
