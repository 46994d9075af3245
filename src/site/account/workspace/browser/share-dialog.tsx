/** The links that show the open plan to anyone who has them: makes, copies, and revokes them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { copyOrSelect } from '../../../browser/copy.ts';
import { config } from './config.ts';
import { Dialog } from './dialog.tsx';
import { isEdited } from './editing.ts';
import { listPlanLinks, revokePlanLink, sharePlan, type PlanLink } from './plan-requests.ts';
import { messageOf } from './requests.ts';
import type { PlanSource } from './state.ts';
import { useStore } from './use-store.ts';

const DAYS = [7, 30, 90] as const;
const USUAL_DAYS = 30;

interface ShareDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

export function ShareDialog({ plan, onClose }: ShareDialogProps) {
  const [links, setLinks] = useState<PlanLink[] | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const hasChanges = useStore(isEdited);
  const mayChange = config().refusal === null;
  const act = async (work: () => Promise<unknown>) => {
    setRefusal(null);
    setWorking(true);
    try {
      await work();
      const all = await listPlanLinks(plan.id);
      setLinks(all.filter(({ status }) => status === 'active'));
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setWorking(false);
    }
  };
  useEffect(() => void act(() => Promise.resolve()), []);
  return (
    <Dialog title={`Share ${plan.name}`} onClose={onClose}>
      <p class="quiet small">
        Anyone with a link sees the current state of the plan: its map and territories, without
        figures and brands.{hasChanges && ' Unsaved changes aren’t shown.'}
      </p>
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {links === null && refusal === null && <p role="status">Loading links…</p>}
      {links?.length === 0 && <p>No active links.</p>}
      {links && links.length > 0 && (
        <ul class="plans">
          {links.map((link) => (
            <LinkRow
              key={link.code}
              link={link}
              revoke={
                mayChange ? () => void act(() => revokePlanLink(plan.id, link.code)) : undefined
              }
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <form
          class="new-plan"
          onSubmit={(event) => {
            event.preventDefault();
            const days = Number(new FormData(event.currentTarget).get('days'));
            if (!isWorking) void act(() => sharePlan(plan.id, days));
          }}
        >
          <label>
            Open for
            <select name="days">
              {DAYS.map((days) => (
                <option key={days} value={days} selected={days === USUAL_DAYS}>
                  {days} days
                </option>
              ))}
            </select>
          </label>
          <footer>
            <p class="quiet small">{config().prices.link} units for a link.</p>
            <div class="buttons">
              <button type="submit" class="button" disabled={isWorking}>
                Create a link
              </button>
            </div>
          </footer>
        </form>
      )}
    </Dialog>
  );
}

interface LinkRowProps {
  link: PlanLink;
  /** Undefined if the viewer can't */
  revoke: (() => void) | undefined;
}

function LinkRow({ link: { code, url, createdBy, expiresAt }, revoke }: LinkRowProps) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const [isAsked, setAsked] = useState(false);
  const day = new Date(expiresAt).toLocaleDateString('en-US', { dateStyle: 'medium' });
  const copy = async () => {
    const isCopied = await copyOrSelect(field.current!);
    setCopied(isCopied ? 'Copied.' : 'Selected. Copy it with the keyboard.');
  };
  return (
    <li>
      <div class="with-button">
        <input
          type="text"
          readOnly
          ref={field}
          value={url}
          aria-label={`Link ${code}`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          type="button"
          class="quiet-button"
          aria-label={`Copy link ${code}`}
          onClick={() => void copy()}
        >
          Copy
        </button>
      </div>
      <div class="buttons">
        <span class="quiet small">
          By {createdBy}, open until {day}
        </span>
        <a href={url} target="_blank" rel="noopener">
          Open<span class="visually-hidden"> link {code} in a new tab</span>
        </a>
        {revoke &&
          (isAsked ? (
            <>
              <span class="small">Revoke it for everyone?</span>
              <button type="button" class="quiet-button" onClick={revoke}>
                Revoke
              </button>
              <button type="button" class="quiet-button" onClick={() => setAsked(false)}>
                Keep
              </button>
            </>
          ) : (
            <button
              type="button"
              class="link-button"
              aria-label={`Revoke link ${code}`}
              onClick={() => setAsked(true)}
            >
              Revoke
            </button>
          ))}
      </div>
      <p class="quiet small" role="status">
        {copied}
      </p>
    </li>
  );
}
