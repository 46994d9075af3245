/** The topics of notifications, and how soon an email mentions one. */
import { REVIEWERS } from '../../people/account/access.ts';
import type { Role } from '../../people/account/caller.ts';

export const CHOICES = ['now', 'daily', 'never'] as const;

/** When emails are sent: at once, once a day, or never */
export type Choice = (typeof CHOICES)[number];

interface Topic {
  label: string;
  hint: string;
  usual: Choice;
  /** Roles that get these notifications. Default: all */
  roles?: readonly Role[];
}

export const TOPICS = {
  requests: {
    label: 'Requests to review',
    hint: 'New requests, and a reminder of each that has waited for three days',
    usual: 'daily',
    roles: REVIEWERS,
  },
  decisions: {
    label: 'Decisions on your requests',
    hint: 'What was approved, and what was rejected and why',
    usual: 'now',
  },
  terms: {
    label: 'Terms',
    hint: 'The term of ZIP codes ends in 90 days, or has ended',
    usual: 'now',
  },
  plans: {
    label: 'Your plans',
    hint: 'Someone else edited or applied a plan that you made',
    usual: 'now',
  },
  boundaries: {
    label: 'ZIP code boundaries',
    hint: 'New boundaries took ground from your brands',
    usual: 'now',
  },
  census: {
    label: 'The census',
    hint: 'A new vintage of census figures changed your brands by more than your organization chose',
    usual: 'daily',
  },
  usage: {
    label: 'Usage',
    hint: '80% and 100% of the month’s units, or of its ZIP codes with figures, are used',
    usual: 'now',
    roles: ['owner'],
  },
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];

/** Returns the topics about which people with a role are notified. */
export const topicsOf = (role: Role | null): TopicName[] =>
  TOPIC_NAMES.filter((name) => {
    const { roles }: Topic = TOPICS[name];
    return roles === undefined || (role !== null && roles.includes(role));
  });
