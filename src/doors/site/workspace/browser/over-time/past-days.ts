/** The earlier day on the map. Pure. */

/** A day on which live ZIP codes changed */
export interface ChangedDay {
  /** `2026-03-31` */
  day: string;
  taken: number;
  givenUp: number;
}

export interface Past {
  /** The earliest first */
  days: readonly ChangedDay[];
  /** Index of the day that is chosen */
  at: number;
  /** Reason why its territories can't be shown; null if they are, or will be */
  problem: string | null;
}
