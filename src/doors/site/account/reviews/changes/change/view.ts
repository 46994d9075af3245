/** A change: what each brand gets and gives up, its effect, its map, and what can be done with it. */
import type { Change } from '../../../../../../territories/brands/changes/read.ts';
import { isOpen } from '../../../../../../territories/brands/changes/read.ts';
import type { Effect } from '../../../../../../territories/brands/effect.ts';
import type { RefusedZips } from '../../../../../../territories/brands/groups/refusal-words.ts';
import { formatDay } from '../../../../../../territories/brands/groups/refusal-words.ts';
import { joinFirst, pluralize } from '../../../../../../base/text/words.ts';
import type { FormState } from '../../../../form-state.ts';
import { textArea, textField, wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { minuteTag } from '../../../../parts.ts';
import { actorText } from '../../../actor.ts';
import { effectTable, openingWarnings, zipGroup, cautions } from '../../../brands/brand/effect.ts';
import { brandPath } from '../../../brands/brand/frame.ts';
import type { AccountContent } from '../../../frame.ts';
import { territoryFrame, type MapBase, type TerritoryFrame } from '../../../map/view.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import { withheldNotice } from '../../../withheld-notice.ts';
import { changeAddress, CHANGES_PATH, statusSentence } from '../words.ts';

export const CHANGE_PATH = `${CHANGES_PATH}/{change}`;
export const CHANGE_MAP = '/map.json';
export const CHANGE_FORMS = {
  approve: `${CHANGE_PATH}/approve`,
  reject: `${CHANGE_PATH}/reject`,
  move: `${CHANGE_PATH}/move`,
  withdraw: `${CHANGE_PATH}/withdraw`,
  undo: `${CHANGE_PATH}/undo`,
} as const;

interface ChangeContent {
  form: FormState;
  change: Change;
  /** The effect on each brand, in their order; empty if it isn't measured */
  effects: readonly Effect[];
  /** What would keep it from going live */
  obstacles: readonly RefusedZips[];
  /** ZIP codes that an undo leaves as they are; null if it can't be undone */
  changedSince: readonly string[] | null;
  /** Null without ZIP codes */
  map: (MapBase & Pick<TerritoryFrame, 'data'>) | null;
  mayReview: boolean;
  isAuthor: boolean;
  /** Reason why the viewer can't change anything; undefined if they can */
  refusal: string | undefined;
}

export function changePage(content: ChangeContent, links: Links): AccountContent {
  const { form, change, map, refusal } = content;
  const labels = {
    selected: 'Part of the change',
    pending: `What brands get${change.on === null ? '' : ` on ${formatDay(change.on)}`}`,
  };
  const main = html`<p><a href="${links.page(CHANGES_PATH)}">All changes</a></p>
    ${wholeProblem(form)} ${isOpen(change) && refusalNotice(refusal)}
    <p class="lead">${statusSentence(change)}</p>
    <p>
      Made by <strong>${actorText(change.madeBy)}</strong>, ${minuteTag(change.madeAt)}.
      ${change.liveAt && html`Live since ${minuteTag(change.liveAt)}.`}
      ${
        change.undoes !== null &&
        html`<a href="${links.page(changeAddress({ id: change.undoes }))}">The change to undo</a>`
      }
    </p>
    ${change.note !== null && html`<blockquote>${change.note}</blockquote>`}
    ${change.reason !== null && html`<p class="notice bad">Reason: ${change.reason}.</p>`}
    ${obstacleSection(content)}
    <div class="queue-body">
      ${
        map &&
        html`<div class="queue-map">
          ${territoryFrame({ ...map, shown: ['selected', 'pending', 'live'], labels }, links)}
        </div>`
      }
      <div class="queue-list">
        ${change.parts.map((_, i) => brandSection(content, i, links))}
        ${
          change.otherBrands > 0 &&
          html`<p class="quiet">
            ${pluralize(change.otherBrands, 'other brand')} that you have no access to
            ${change.otherBrands === 1 ? 'is' : 'are'} part of it, too.
          </p>`
        }
        ${refusal === undefined && change.otherBrands === 0 && actions(content, links)}
      </div>
    </div>`;
  const assets = [
    'account/brands/style.css',
    'account/reviews/style.css',
    ...(map ? (['account/reviews/changes/change/script.ts'] as const) : []),
  ] as const;
  return { path: CHANGES_PATH, title: titleOf(change), assets, hasMap: map !== null, main };
}

const titleOf = ({ parts, otherBrands, on }: Change): string => {
  const brands = parts.length + otherBrands;
  const whose = brands === 1 ? `Change of ${parts[0]!.brand.name}` : `Change of ${brands} brands`;
  return on === null ? whose : `${whose} on ${formatDay(on)}`;
};

function obstacleSection({ obstacles }: ChangeContent): Html | false {
  if (obstacles.length === 0) return false;
  return html`<section class="cannot" aria-labelledby="cannot-title">
    <h2 id="cannot-title">Keeps it from going live</h2>
    <ul>
      ${obstacles.map(
        ({ reason, zips }) =>
          html`<li><span class="zip-run">${joinFirst(zips)}</span>: ${reason}.</li>`,
      )}
    </ul>
  </section>`;
}

function brandSection({ change, effects }: ChangeContent, i: number, links: Links): Html {
  const { brand, added, removed, refused } = change.parts[i]!;
  const effect = effects[i];
  return html`<section class="request" aria-labelledby="brand-${brand.slug}">
    <h2 id="brand-${brand.slug}">
      <a href="${links.page(brandPath(brand))}">${brand.name}</a>
    </h2>
    ${effect && cautions(warnings(effect))} ${zipGroup('Gets', added)}
    ${zipGroup('Gives up', removed)}
    ${
      refused.length > 0 &&
      html`<h3>Left out</h3>
        <ul>
          ${refused.map(({ zip, reason }) => html`<li>${zip}: ${reason}</li>`)}
        </ul>`
    }
    ${
      effect &&
      html`<h3>Effect</h3>
        ${effectTable(effect, 'Afterward', 'Live')}
        ${effect.withheld && withheldNotice('Households and balance', effect.withheld, links)}`
    }
  </section>`;
}

const warnings = (effect: Effect): (string | false)[] => [
  ...openingWarnings(effect),
  effect.cutOff.length > 0 && `Cuts off a part of the territory: ${joinFirst(effect.cutOff, 12)}.`,
];

function actions(content: ChangeContent, links: Links): Html | false {
  const { change, mayReview, isAuthor, changedSince } = content;
  if (change.status === 'live') return changedSince !== null && undoForm(content, links);
  if (!isOpen(change)) return false;
  return html`${change.status === 'waiting' && mayReview && decisionForms(content, links)}
  ${(mayReview || (isAuthor && change.status === 'waiting')) && moveForm(content, links)}
  ${(mayReview || isAuthor) && withdrawForm(content, links)}`;
}

const action = (change: Change, form: string, links: Links): string =>
  links.page(form.replace('{change}', change.id));

function decisionForms({ form, change }: ChangeContent, links: Links): Html {
  const approving = form.of(CHANGE_FORMS.approve);
  const when =
    change.on === null ? 'It goes live immediately.' : `It goes live on ${formatDay(change.on)}.`;
  return html`<div class="decide">
      <p class="chosen">${when} It can be undone as one.</p>
      <button class="button" form="approve">Approve the change</button>
    </div>
    <form
      id="approve"
      method="post"
      action="${action(change, CHANGE_FORMS.approve, links)}"
      class="wide-form"
      data-once
    >
      <details ${approving.isUnsent ? '' : 'open'}>
        <summary>Leave out some ZIP codes…</summary>
        ${textArea({ name: 'leaveOut', label: 'ZIP codes to leave out', rows: 2, optional: true }, approving)}
        ${textField(
          {
            name: 'leaveOutReason',
            label: 'Reason for leaving them out',
            hint: 'The requester sees it.',
            maxlength: 200,
            autocomplete: 'off',
            optional: true,
          },
          approving,
        )}
      </details>
    </form>
    <form
      method="post"
      action="${action(change, CHANGE_FORMS.reject, links)}"
      class="wide-form"
      data-once
    >
      ${textField(
        {
          name: 'reason',
          label: 'Reason for a rejection',
          hint: 'The requester sees it.',
          maxlength: 200,
          autocomplete: 'off',
        },
        form.of(CHANGE_FORMS.reject),
      )}
      <div class="actions"><button class="quiet-button">Reject the change</button></div>
    </form>`;
}

function moveForm({ form, change }: ChangeContent, links: Links): Html {
  return html`<form
    method="post"
    action="${action(change, CHANGE_FORMS.move, links)}"
    class="wide-form"
    data-once
  >
    ${textField(
      {
        name: 'on',
        label: 'Another day',
        type: 'date',
        hint: change.status === 'waiting' ? 'Empty: as soon as it’s approved.' : 'Empty: now.',
        optional: true,
      },
      form.of(CHANGE_FORMS.move),
    )}
    <div class="actions"><button class="quiet-button">Move the change</button></div>
  </form>`;
}

function withdrawForm({ change }: ChangeContent, links: Links): Html {
  return html`<details class="ending">
    <summary>Withdraw this change…</summary>
    <form method="post" action="${action(change, CHANGE_FORMS.withdraw, links)}" data-once>
      <p>Its requests end, and its brands keep what they would have given up.</p>
      <button class="button grave">Withdraw the change</button>
    </form>
  </details>`;
}

function undoForm({ change, changedSince }: ChangeContent, links: Links): Html {
  return html`<details class="ending">
    <summary>Undo this change…</summary>
    <form method="post" action="${action(change, CHANGE_FORMS.undo, links)}" data-once>
      <p>
        What brands got leaves them, and what they gave up returns, at once.
        ${
          changedSince!.length > 0 &&
          `Someone has changed some ZIP codes since, and they stay as they are: ${joinFirst(changedSince!, 12)}.`
        }
      </p>
      <button class="button grave">Undo the change</button>
    </form>
  </details>`;
}
