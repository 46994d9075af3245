/** A list in a dialog that is loaded when the dialog opens. */
import type { ComponentChildren } from 'preact';

interface LoadedListProps<Item> {
  /** Null until they are loaded */
  items: readonly Item[] | null;
  /** Reason why they can't be loaded */
  refusal: string | null;
  /** `Loading plans…` */
  loading: string;
  /** Sentence for an empty list */
  empty: string;
  row: (item: Item) => ComponentChildren;
}

export function LoadedList<Item>({ items, refusal, loading, empty, row }: LoadedListProps<Item>) {
  if (items === null) return refusal === null ? <p role="status">{loading}</p> : null;
  if (items.length === 0) return <p class="quiet small">{empty}</p>;
  return <ul class="plans">{items.map(row)}</ul>;
}
