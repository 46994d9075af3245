/** Adds territories to a plan, and renames, assigns, and deletes them. Live territories belong to brands. */
import { useState } from 'preact/hooks';
import { editRefusal } from '../selection/actions.ts';
import { config } from '../config.ts';
import { Dialog } from '../controls/dialog.tsx';
import type { DraftTerritory } from './draft.ts';
import {
  addTerritory,
  assignBrand,
  deleteTerritory,
  moveZips,
  nextNumber,
  renameTerritory,
} from './edits.ts';
import { editDraft } from './editing.ts';
import { MAX_NAME } from '../plans/plan-name-form.tsx';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

export function PlanTerritories() {
  const [edited, setEdited] = useState<number | null>(null);
  const draft = useStore((state) => state.draft);
  const isPlan = useStore((state) => state.source.kind === 'plan');
  const refusal = useStore(editRefusal);
  if (!isPlan || refusal !== null) return null;
  const territory = draft.territories.find(({ number }) => number === edited);
  return (
    <section class="plan-territories" aria-label="Change territories">
      <p class="buttons">
        <button type="button" class="quiet-button" onClick={addWithSelection}>
          New territory
        </button>
        {draft.territories.length > 0 && (
          <select
            aria-label="Rename, assign, or delete a territory"
            value=""
            onChange={(event) => {
              setEdited(Number(event.currentTarget.value));
              event.currentTarget.value = '';
            }}
          >
            <option value="" disabled>
              Change …
            </option>
            {draft.territories.map(({ number, name }) => (
              <option key={number} value={number}>
                {name}
              </option>
            ))}
          </select>
        )}
      </p>
      {territory && <TerritoryDialog territory={territory} onClose={() => setEdited(null)} />}
    </section>
  );
}

/** Adds a territory with the selected ZIP codes. */
function addWithSelection(): void {
  const { draft, selection } = store.get();
  const number = nextNumber(draft);
  const added = addTerritory(draft, number);
  editDraft(
    selection.size > 0 ? moveZips(added, selection, number) : added,
    `Add Territory ${number}`,
  );
  store.update({ target: number });
}

interface TerritoryDialogProps {
  territory: DraftTerritory;
  onClose: () => void;
}

function TerritoryDialog({ territory, onClose }: TerritoryDialogProps) {
  const { number, name, brand } = territory;
  const { brands } = config();
  const save = (fields: FormData) => {
    const newName = String(fields.get('name')).trim();
    const slug = String(fields.get('brand'));
    const newBrand = brands.find((one) => one.slug === slug) ?? null;
    const { draft } = store.get();
    const renamed = newName === '' ? draft : renameTerritory(draft, number, newName);
    editDraft(assignBrand(renamed, number, newBrand), `Change ${newName || name}`);
    onClose();
  };
  return (
    <Dialog title={name} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(new FormData(event.currentTarget));
        }}
      >
        <label>
          Name
          <input type="text" name="name" defaultValue={name} maxLength={MAX_NAME} required />
        </label>
        <label>
          Brand that gets these ZIP codes when you apply the plan
          <select name="brand">
            <option value="">No brand</option>
            {brands.map(({ slug, name: label }) => (
              <option key={slug} value={slug} selected={slug === brand?.slug}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <p class="buttons">
          <button type="submit" class="button">
            Change
          </button>
          <button
            type="button"
            class="quiet-button"
            onClick={() => {
              editDraft(deleteTerritory(store.get().draft, number), `Delete ${name}`);
              onClose();
            }}
          >
            Delete the territory
          </button>
        </p>
      </form>
    </Dialog>
  );
}
