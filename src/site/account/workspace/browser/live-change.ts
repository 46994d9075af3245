/** Changes of live territories, as the page and the server exchange them. */

/** A brand's changes, as the page sends them. ZIP codes are separated by spaces. */
export interface LiveChange {
  /** Slug */
  brand: string;
  added: string;
  removed: string;
}

/** A territory before or after a change (`territory/effect.ts`) */
export interface LiveSummary {
  zips: number;
  households: number | null;
  pieces: number;
  holes: number;
  gaps: number;
  isolated: number;
  shared: number;
}

/** The effect that saving would have on a brand. All lists are in order. */
export interface LivePreview {
  /** Slug */
  brand: string;
  name: string;
  /** Go to review */
  requested: string[];
  /** Requested ZIP codes that another brand holds, too */
  shared: string[];
  /** ZIP codes that are removed at once, with an undo */
  removed: string[];
  /** Unchanged ZIP codes, because someone else made the same change meanwhile */
  done: string[];
  /** ZIP codes that can't be requested, with the reason */
  unknown: { reason: string; zips: string[] }[];
  before: LiveSummary;
  after: LiveSummary;
  newHoles: string[];
  newGaps: string[];
  newlyIsolated: string[];
  cutOff: string[];
}

export interface LivePreviewAnswer {
  previews: LivePreview[];
  /** Key of this preview: sending it twice changes nothing twice */
  once: string;
  /** Reason why there are no households; null if there are */
  withheld: string | null;
}

/** The effect of saving on a brand */
export interface LiveSaved {
  /** Slug */
  brand: string;
  name: string;
  /** ZIP codes that went to review */
  requested: number;
  /** ZIP codes that were removed */
  removed: number;
  /** For the undo of the removal; null without one */
  removalId: string | null;
}

export interface LiveSavedAnswer {
  saved: LiveSaved[];
}

export interface LiveUndoneAnswer {
  restored: number;
  /** Unchanged ZIP codes, because the brand holds them again */
  heldAgain: number;
}
