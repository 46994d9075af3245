/** Figures before and after a change. Those that stay the same are fainter. */
import type { ComponentChildren } from 'preact';

interface EffectTableProps {
  caption?: ComponentChildren;
  /** Heading of the figures after the change */
  after: string;
  rows: readonly (readonly [label: string, was: string, is: string])[];
  /** Below the rows */
  children?: ComponentChildren;
}

export function EffectTable({ caption, after, rows, children }: EffectTableProps) {
  return (
    <table class="effect">
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Measure</span>
          </th>
          <th scope="col">Now</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, was, is]) => (
          <tr key={label} class={was === is ? 'same' : ''}>
            <th scope="row">{label}</th>
            <td>{was}</td>
            <td>{is}</td>
          </tr>
        ))}
      </tbody>
      {children}
    </table>
  );
}
