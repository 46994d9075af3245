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
  /** ZIP codes that are removed: at once, or with the requests of the same change */
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
  /** Whether all of it goes live together, and is reviewed and undone as one */
  isOne: boolean;
  /** Whether a reviewer decides on it */
  needsReview: boolean;
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
  /** ZIP codes that are removed when the change goes live */
  leaving: number;
  /** For undoing the removal; null if there is none */
  removalId: string | null;
}

export interface LiveSavedAnswer {
  saved: LiveSaved[];
  /** The change that goes live as one; null if its parts don't wait for each other */
  change: {
    id: string;
    status: 'waiting' | 'scheduled' | 'live';
    /** `2027-01-01`; null: when it's approved */
    on: string | null;
  } | null;
}

export interface LiveUndoneAnswer {
  restored: number;
  /** Unchanged ZIP codes, because the brand already holds them again */
  heldAgain: number;
  /** Unchanged ZIP codes that a rule of a group refuses */
  refused: { reason: string; zips: string[] }[];
}
