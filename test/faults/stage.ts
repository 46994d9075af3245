/** What the scenarios of one database share. */
import type { RunningService } from '../support/processes.ts';
import type { Calls } from './calls.ts';
import type { FaultyDatabase, Organization } from './faulty-service.ts';

export interface Stage {
  database: FaultyDatabase;
  service: RunningService;
  calls: Calls;
  ours: Organization;
  theirs: Organization;
  /** Replaces the service, which has ended. */
  restart(): Promise<void>;
}
