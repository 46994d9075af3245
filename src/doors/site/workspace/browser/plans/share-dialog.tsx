/** Creates, copies, and revokes links that show the open plan to anyone who has them. */
import { useRef, useState } from 'preact/hooks';
import { copyOrSelect, copyStatus } from '../../../browser/copy.ts';
import { RefusalText, useLoaded } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import { ConfirmedButton } from '../controls/confirmed-button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { isEdited } from '../territories/editing.ts';
import { LoadedList } from '../controls/loaded-list.tsx';
import { listPlanLinks, revokePlanLink, sharePlan, type PlanLink } from './plan-requests.ts';
import type { PlanSource } from '../state.ts';
import { useStore } from '../use-store.ts';

const DAYS = [7, 30, 90] as const;
const USUAL_DAYS = 30;

interface ShareDialogProps {
  plan: PlanSource;
  onClose: () => void;
}

export function ShareDialog({ plan, onClose }: ShareDialogProps) {
  const { value: links, change, isWorking, refusal } = useLoaded(() => activeLinks(plan.id));
  const hasChanges = useStore(isEdited);
  const mayChange = config().refusal === null;
  return (
    <Dialog title={`Share ${plan.name}`} onClose={onClose}>
      <p class="quiet small">
        Anyone with a link sees the current state of the plan: its map and territories, without
        figures and brands.{hasChanges && ' Unsaved changes aren’t shown.'}
      </p>
      <RefusalText>{refusal}</RefusalText>
      <LoadedList
        items={links}
        refusal={refusal}
        loading="Loading links…"
        empty="There are no active links."
        row={(link) => (
          <LinkRow
            key={link.code}
            link={link}
            revoke={
              mayChange ? () => void change(() => revokePlanLink(plan.id, link.code)) : undefined
            }
          />
        )}
      />
      {mayChange && (
        <form
          class="addition"
          onSubmit={(event) => {
            event.preventDefault();
            const days = Number(new FormData(event.currentTarget).get('days'));
            if (!isWorking) void change(() => sharePlan(plan.id, days));
          }}
        >
          <label>
            New link expires after
            <select name="days">
              {DAYS.map((days) => (
                <option key={days} value={days} selected={days === USUAL_DAYS}>
                  {days} days
                </option>
              ))}
            </select>
          </label>
          <footer>
            <p class="quiet small">{config().linkCosts}</p>
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

async function activeLinks(plan: string): Promise<PlanLink[]> {
  const links = await listPlanLinks(plan);
  return links.filter(({ status }) => status === 'active');
}

interface LinkRowProps {
  link: PlanLink;
  /** Undefined if the viewer can't */
  revoke: (() => void) | undefined;
}

function LinkRow({ link: { code, url, createdBy, expiresAt }, revoke }: LinkRowProps) {
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const day = new Date(expiresAt).toLocaleDateString('en-US', { dateStyle: 'medium' });
  const copy = async () => {
    const isCopied = await copyOrSelect(field.current!);
    setCopied(copyStatus(isCopied));
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
      <span class="quiet small">
        By {createdBy}, open until {day}
      </span>
      <div class="buttons">
        <a href={url} target="_blank" rel="noopener">
          Open<span class="visually-hidden"> link {code} in a new tab</span>
        </a>
        {revoke && <ConfirmedButton label="Revoke" of={`link ${code}`} act={revoke} />}
        <span class="quiet small" role="status">
          {copied}
        </span>
      </div>
    </li>
  );
}
