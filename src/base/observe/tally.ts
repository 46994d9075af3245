/**
 * Counts the work that this process has done since its start. Rooms add to the counts, and `metrics.ts` shows
 * them to operators.
 */
export const tally = {
  /** Answers found in a cache, and answers that had to be made */
  cache: { hit: 0, miss: 0 },
  /**
   * Reads of imported data if there is a replica: those that it answered, those that it failed or for which
   * it lagged behind, and those that went to the primary directly
   */
  reads: { replica: 0, failed: 0, behind: 0, skipped: 0 },
  /**
   * Answers found in Redis, answers made for all processes, and answers made for this process because Redis
   * was unavailable or another process took too long
   */
  sharedCache: { hit: 0, miss: 0, alone: 0 },
  /** Charged units by tool */
  units: new Map<string, number>(),
  /** Deleted expired rows by table */
  deleted: new Map<string, number>(),
  /**
   * Drive times that were computed, found in the cache, refused because there is no road or the routing
   * server is down, or failed
   */
  drives: { computed: 0, cached: 0, refused: 0, failed: 0 },
  /** Emails by outcome; `retried` counts attempts that failed and will be repeated */
  mail: { sent: 0, dropped: 0, refused: 0, expired: 0, retried: 0 },
  /** Attempts to send an event to a webhook: delivered, to be repeated, or given up */
  webhooks: { delivered: 0, retried: 0, failed: 0 },
  /** Sign-ins by company account that were completed, that we or the provider refused, or that failed */
  companySignIns: { completed: 0, refused: 0, failed: 0 },
  /** Checks of company sign-ins: the provider confirmed it, ended it, or didn't answer */
  companyChecks: { confirmed: 0, ended: 0, failed: 0 },
  /** Places that were given back because their work outlived every deadline, which is a defect */
  lostPlaces: { webhooks: 0, companyChecks: 0 },
};

export function countUnits(tool: string, units: number): void {
  tally.units.set(tool, (tally.units.get(tool) ?? 0) + units);
}

export function countDeleted(table: string, rows: number): void {
  tally.deleted.set(table, (tally.deleted.get(table) ?? 0) + rows);
}
