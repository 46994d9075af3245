/** Keyboard shortcuts, and the dialog that lists them. */
import { useState } from 'preact/hooks';
import { editRefusal, moveTo, removeFromAll } from './selection/actions.ts';
import { Dialog } from './controls/dialog.tsx';
import { save } from './territories/edit-bar.tsx';
import { redoEdit, undoEdit } from './territories/editing.ts';
import { TOOLS } from './map/map-tools.tsx';
import { neighborsOf } from './selection/selection.ts';
import { intersection, union } from './selection/sets.ts';
import { store } from './state.ts';
import { useStore } from './use-store.ts';

const SETTING = 'single-key-shortcuts';

/** People who use dictation may turn them off (WCAG 2.2, 2.1.4). */
function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off';
  } catch {
    return true;
  }
}

function setSingleKeys(isOn: boolean): void {
  try {
    localStorage.setItem(SETTING, isOn ? 'on' : 'off');
  } catch {
    // Without storage, shortcuts stay on.
  }
}

interface Shortcut {
  keys: string;
  does: string;
}

const LISTED: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  { title: 'Tools', shortcuts: TOOLS.map(({ key, label }) => ({ keys: key, does: label })) },
  {
    title: 'Selection',
    shortcuts: [
      { keys: 'N', does: 'Add neighbors' },
      { keys: '/', does: 'Filter' },
      { keys: 'Esc', does: 'Close the card of a ZIP code, then clear' },
    ],
  },
  {
    title: 'By mouse',
    shortcuts: [
      { keys: 'Click', does: 'Select a ZIP code instead of others' },
      { keys: 'Shift+Click', does: 'Add it, or take it out. Ctrl+Click does the same' },
      { keys: 'Shift+Drag', does: 'Zoom to a box. The tools select by drawing' },
    ],
  },
  {
    title: 'Edits',
    shortcuts: [
      { keys: 'M', does: 'Move the selection to the chosen territory, or choose one' },
      { keys: 'Delete', does: 'Remove the selection from its territories' },
      { keys: 'Ctrl+Z', does: 'Undo' },
      { keys: 'Ctrl+Shift+Z', does: 'Redo' },
      { keys: 'Ctrl+S', does: 'Save' },
    ],
  },
  {
    title: 'On the map',
    shortcuts: [
      { keys: 'Arrows', does: 'Go to the next ZIP code' },
      { keys: 'Space', does: 'Select or deselect it' },
      { keys: 'Shift+Arrows', does: 'Move the map' },
      { keys: '+ −', does: 'Zoom' },
    ],
  },
  {
    title: 'In the table',
    shortcuts: [
      { keys: 'Arrows', does: 'Go to a row' },
      { keys: 'Space', does: 'Select or deselect it' },
      { keys: 'Enter', does: 'Show it on the map' },
      { keys: 'Shift+Click', does: 'Select the rows up to here' },
    ],
  },
];

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

const focus = (id: string) => document.getElementById(id)?.focus();

/** @returns whether the key had an effect */
function actOn(key: string): boolean {
  const { market, selection, draft, target, dialog } = store.get();
  if (dialog !== null || !market) return false;
  const tool = TOOLS.find((one) => one.key === key.toUpperCase());
  if (tool) store.update({ tool: tool.name });
  else if (key === '?') store.update({ dialog: 'shortcuts' });
  else if (key === '/') focus('filter');
  else if (key === 'n') {
    store.update({ selection: union(selection, neighborsOf(market, selection)) });
  } else if (key === 'm') {
    const isChosen = draft.territories.some(({ number }) => number === target);
    if (isChosen && selection.size > 0) moveTo(selection, target!);
    else focus('target');
  } else if (key === 'Delete' || key === 'Backspace') removeSelected();
  else return false;
  return true;
}

function removeSelected(): void {
  const { selection, draft } = store.get();
  const held = draft.territories.reduce(
    (all, { zips }) => union(all, intersection(zips, selection)),
    new Set<number>(),
  );
  if (held.size > 0) removeFromAll(held);
}

function onCommand(event: KeyboardEvent): boolean {
  if (store.get().dialog !== null) return false;
  const key = event.key.toLowerCase();
  if (key === 's') void save();
  else if (isTyping(event.target)) return false;
  else if (key === 'z' && event.shiftKey) redoEdit();
  else if (key === 'z') undoEdit();
  else if (key === 'y') redoEdit();
  else return false;
  return true;
}

/** Keys that go from ZIP code to ZIP code on the map, in the table, and in the chart */
const GOES = /^(Arrow|Page|Home$|End$)/;

/**
 * Follows whether keys or the pointer reached the ZIP code on the card. What keys reached ends with their focus or with
 * Escape, as what the pointer reached ends when it leaves.
 * @returns a function that ends it, and returns whether there was one
 */
function followReached(): () => boolean {
  let isByKeys = false;
  const end = () => {
    const isReached = isByKeys && store.get().hovered !== null;
    if (isReached) store.update({ hovered: null });
    return isReached;
  };
  const capture = { capture: true };
  document.addEventListener('pointermove', () => (isByKeys = false), capture);
  // The map keeps its keys from other listeners.
  document.addEventListener('keydown', ({ key }) => (isByKeys ||= GOES.test(key)), capture);
  document.addEventListener('focusout', end);
  return end;
}

export function followKeys(): void {
  const endReached = followReached();
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.ctrlKey || event.metaKey) {
      if (editRefusal(store.get()) === null && onCommand(event)) event.preventDefault();
      return;
    }
    if (isTyping(event.target)) return;
    if (event.key === 'Escape') {
      // The first Escape closes the card, or ends a drawing tool, which cancels its shape.
      const { tool } = store.get();
      if (tool === 'pointer' && endReached()) return;
      store.update(tool === 'pointer' ? { selection: new Set() } : { tool: 'pointer' });
    } else if (hasSingleKeys() && actOn(event.key)) event.preventDefault();
  });
}

export function ShortcutsDialog() {
  const isOpen = useStore((state) => state.dialog === 'shortcuts');
  const [isOn, setOn] = useState(hasSingleKeys);
  if (!isOpen) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => store.update({ dialog: null })}>
      <div class="shortcuts">
        {LISTED.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
        Single letters are shortcuts
      </label>
    </Dialog>
  );
}
