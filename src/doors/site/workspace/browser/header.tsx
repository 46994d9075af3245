/** The head of the workspace: the choice of the market, and links to other pages. */
import { config } from './config.ts';
import { mayLeave } from './plans/open-plan.ts';
import { openPlace } from './load.ts';
import { useStore } from './use-store.ts';

export function Header() {
  const place = useStore((state) => state.place);
  const market = useStore((state) => state.market);
  const { metros, states } = config();
  const listed = [
    ...metros.map(({ slug }) => `metro=${slug}`),
    ...states.map(({ usps }) => `state=${usps}`),
  ];
  return (
    <label class="place">
      <span class="visually-hidden">Market</span>
      <select
        value={place}
        onChange={({ currentTarget }) => {
          if (mayLeave()) void openPlace(currentTarget.value);
          else currentTarget.value = place;
        }}
        aria-label="Market"
      >
        {!listed.includes(place) && <option value={place}>{market?.label ?? 'Plan'}</option>}
        <optgroup label="Metros">
          {metros.map(({ slug, label }) => (
            <option key={slug} value={`metro=${slug}`}>
              {label}
            </option>
          ))}
        </optgroup>
        <optgroup label="States">
          {states.map(({ usps, name }) => (
            <option key={usps} value={`state=${usps}`}>
              {name}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}
