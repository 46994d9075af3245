/** Formats the value of a signal for people. Separate, because the command line loads only this. */
import { SCALE_ENDS } from '../../../data/ingest/acs-tables.ts';
import { SIGNALS, type SignalId } from '../../../data/scoring/signals.ts';
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatTenths,
} from '../../../base/text/words.ts';

interface SignalValue {
  /** A `SignalId` */
  signal: string;
  value: number | null;
  unit: string;
}

/** Examples: `$84,200`, `61.4%`, `38.5 years`, `9,312` */
export function formatSignal({ signal, value, unit }: SignalValue): string {
  switch (unit) {
    case 'dollars':
      return formatDollars(value, SCALE_ENDS[SIGNALS[signal as SignalId].source]);
    case 'percent':
      return formatPercent(value);
    case 'years':
      return `${formatTenths(value)} years`;
    default:
      return formatCount(value);
  }
}
