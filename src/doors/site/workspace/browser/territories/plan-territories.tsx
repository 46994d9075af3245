/** Adds territories to a plan, and renames, assigns, and deletes them in their rows. Live territories belong to brands. */
import { useState } from 'preact/hooks';
import { editRefusal } from '../selection/actions.ts';
import { addConfiguredBrand, config } from '../config.ts';
import type { Brand, DraftTerritory } from './draft.ts';
import {
  addTerritory,
  assignBrand,
  deleteTerritory,
  moveZips,
  nextNumber,
  renameTerritory,
} from './edits.ts';
import { editDraft } from './editing.ts';
import { PlanNameForm } from '../plans/plan-name-form.tsx';
import { postForm } from '../requests.ts';
import { store, type WorkspaceState } from '../state.ts';
import { useStore } from '../use-store.ts';

const isEditablePlan = (state: WorkspaceState) =>
  state.source.kind === 'plan' && editRefusal(state) === null;

export function PlanTerritories() {
  if (!useStore(isEditablePlan)) return null;
  return (
    <section class="plan-territories" aria-label="Change territories">
      <p class="buttons">
        <button type="button" class="quiet-button" onClick={addWithSelection}>
          New territory
        </button>
      </p>
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

/** The value of an option, which no slug has */
const NEW_BRAND = ' new';

/** The name and the brand of a plan’s territory, as controls */
export function PlanRow({ territory: { number, name, brand } }: { territory: DraftTerritory }) {
  const [form, setForm] = useState<'name' | 'brand' | null>(null);
  const territories = useStore((state) => state.draft.territories);
  if (!useStore(isEditablePlan)) return null;
  const close = () => setForm(null);
  const assign = (next: Brand | null) =>
    editDraft(
      assignBrand(store.get().draft, number, next),
      next ? `Assign ${name} to ${next.name}` : `Take the brand from ${name}`,
    );
  if (form !== null) {
    const isName = form === 'name';
    return (
      <PlanNameForm
        key={form}
        label={isName ? 'Name' : 'Name of the new brand'}
        first={name}
        submit={isName ? 'Rename' : 'Create brand'}
        isQuiet
        isFocused
        save={async (entered) => {
          if (isName) {
            const next = renameTerritory(store.get().draft, number, entered.trim());
            editDraft(next, `Rename ${name}`);
          } else assign(await createBrand(entered));
          close();
        }}
        more={
          <>
            <button type="button" class="quiet-button" onClick={close}>
              Cancel
            </button>
            {isName && (
              <button
                type="button"
                class="quiet-button"
                onClick={() =>
                  editDraft(deleteTerritory(store.get().draft, number), `Delete ${name}`)
                }
              >
                Delete the territory
              </button>
            )}
          </>
        }
      />
    );
  }
  const holderOf = ({ id }: Brand) => territories.find((one) => one.brand?.id === id);
  return (
    <div class="plan-row">
      <select
        aria-label={`Brand of ${name}`}
        value={brand?.slug ?? ''}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          if (value === NEW_BRAND) setForm('brand');
          else assign(config().brands.find(({ slug }) => slug === value) ?? null);
          currentTarget.value = brand?.slug ?? '';
        }}
      >
        <option value="">No brand: not live</option>
        {config().brands.map((one) => {
          const holder = holderOf(one);
          return (
            <option key={one.slug} value={one.slug}>
              {one.name}
              {holder && holder.number !== number && ` (has ${holder.name})`}
            </option>
          );
        })}
        {config().mayCreateBrands && <option value={NEW_BRAND}>New brand…</option>}
      </select>
      <button
        type="button"
        class="quiet-button"
        aria-label={`Rename ${name}`}
        onClick={() => setForm('name')}
      >
        Rename
      </button>
    </div>
  );
}

/** @throws Refusal, such as for a name that another brand has */
async function createBrand(name: string): Promise<Brand> {
  const { brand } = await postForm<{ brand: Brand }>(config().paths.newBrand, { name });
  addConfiguredBrand(brand);
  return brand;
}
