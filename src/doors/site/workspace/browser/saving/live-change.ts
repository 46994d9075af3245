/** Changes of live territories, in the format that the page and the server exchange. */

/** A brand's changes, sent by the page. ZIP codes are separated by spaces. */
export interface LiveChange {
  /** Slug */
  brand: string;
  added: string;
  removed: string;
}

/** A territory before or after a change (`territories/brands/effect.ts`) */
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
  /** ZIP codes that go to review */
  requested: string[];
  /** Whether these go live at once instead, because the person is an owner, who needs no review */
  goesLive: boolean;
  /** Requested ZIP codes that another brand also holds */
  shared: string[];
  /** ZIP codes that are removed at once. This can be undone */
  removed: string[];
  /** Unchanged ZIP codes, because someone else has made the same change since */
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
  /** Key of this preview, which keeps a change that is sent twice from being made twice */
  once: string;
  /** Reason why there are no households; null if there are */
  withheld: string | null;
}

/** Returns the ZIP codes that no brand holds live until a review: one gives them up, and another requests them. Pure. */
export function openMeanwhile(
  previews: readonly Pick<LivePreview, 'requested' | 'removed' | 'shared'>[],
): string[] {
  const removed = new Set(previews.flatMap((one) => one.removed));
  const kept = new Set(previews.flatMap((one) => one.shared));
  const requested = new Set(previews.flatMap((one) => one.requested));
  return [...requested].filter((zip) => removed.has(zip) && !kept.has(zip)).sort();
}

/** The effect of saving on a brand */
export interface LiveSaved {
  /** Slug */
  brand: string;
  name: string;
  /** ZIP codes that went to review */
  requested: number;
  /** Whether these went live at once instead */
  goesLive: boolean;
  /** ZIP codes that a rule of a group kept from being requested */
  refused: { reason: string; zips: string[] }[];
  /** ZIP codes that were removed */
  removed: number;
  /** For undoing the removal; null if there is none */
  removalId: string | null;
}

export interface LiveSavedAnswer {
  saved: LiveSaved[];
}

export interface LiveUndoneAnswer {
  restored: number;
  /** Unchanged ZIP codes, because the brand already holds them again */
  heldAgain: number;
  /** Unchanged ZIP codes that a rule of a group refuses */
  refused: { reason: string; zips: string[] }[];
}
