/** Tables whose rows become cards on narrow screens. */
import { html, type Html, type HtmlValue } from './html.ts';
import { wideTable } from './parts.ts';

export interface Column<T> {
  heading: string;
  /** Whether the heading is only for screen readers, as above a column of buttons */
  hidden?: true;
  /** Sorts by this column: the address of the other order, and the present order, if it is by this column */
  sort?: { to: string; order: 'ascending' | 'descending' | undefined };
  /** Right-align the figures */
  number?: true;
  cell(one: T): HtmlValue;
}

/**
 * As cards, rows keep every figure and action in view.
 * @param columns the first column names the row
 */
export function records<T>(label: string, columns: readonly Column<T>[], rows: readonly T[]): Html {
  const [name, ...more] = columns as readonly [Column<T>, ...Column<T>[]];
  const heading = ({ heading: text, hidden, number, sort }: Column<T>) =>
    html`<th
      scope="col"
      ${number && html`class="number"`}
      ${sort?.order && html`aria-sort="${sort.order}"`}
    >
      ${
        hidden
          ? html`<span class="visually-hidden">${text}</span>`
          : sort
            ? html`<a href="${sort.to}"
                >${text}${sort.order && html`<span aria-hidden="true">${sort.order === 'ascending' ? ' ↑' : ' ↓'}</span>`}</a
              >`
            : text
      }
    </th>`;
  const cell = (one: T) => (column: Column<T>) =>
    html`<td
      ${!column.hidden && html`data-label="${column.heading}"`}
      ${column.number && html`class="number"`}
    >
      ${column.cell(one)}
    </td>`;
  const table = html`<table class="records">
    <thead>
      <tr>
        ${columns.map(heading)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (one) =>
          html`<tr>
            <th scope="row">${name.cell(one)}</th>
            ${more.map(cell(one))}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return wideTable(label, table);
}
