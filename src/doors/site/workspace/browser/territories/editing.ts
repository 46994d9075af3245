/** Edits of the draft in the workspace's state, which can be undone and redone. */
import type { Draft } from './draft.ts';
import { redo, takeStep, undo, type Timeline } from './history.ts';
import { store, type WorkspaceState } from '../state.ts';

const timelineOf = ({ draft, history }: WorkspaceState): Timeline<Draft> => ({
  present: draft,
  history,
});

const change = (move: (timeline: Timeline<Draft>) => Timeline<Draft>) =>
  store.update((state) => {
    const { present, history } = move(timelineOf(state));
    return { draft: present, history };
  });

/** @param label describes the edit: `Move 12 ZIP codes to North` */
export const editDraft = (draft: Draft, label: string): void =>
  change((timeline) => takeStep(timeline, draft, label));

export const undoEdit = (): void => change(undo);
export const redoEdit = (): void => change(redo);

/** Returns whether there are unsaved changes. */
export const isEdited = ({ draft, saved }: Pick<WorkspaceState, 'draft' | 'saved'>): boolean =>
  draft !== saved;
