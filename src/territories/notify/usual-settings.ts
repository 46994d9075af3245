/** What applies to members who haven't chosen otherwise. */
import { TOPIC_NAMES, TOPICS, type Choice, type TopicName } from './topics.ts';

export const USUAL_TIME_ZONE = 'America/New_York';
export const USUAL_DIGEST_HOUR = 8;
export const USUAL_CHOICES = Object.fromEntries(
  TOPIC_NAMES.map((name) => [name, TOPICS[name].usual]),
) as Record<TopicName, Choice>;
