import type { Plan } from "./plan-entries.ts";

export type ListedEntry = {
  readonly name: string;
  /** Epoch seconds. */
  readonly created_at: number;
};

/**
 * The service that sends a message at every slot of a schedule. Its faults are thrown as its client raises them, and
 * become 503.
 *
 * Entries are made and taken away, never changed: a change of times is another plan, whose entries have other names.
 * So nobody can overwrite what another process has just made, and making or taking away twice does nothing.
 */
export type Scheduler = {
  /** @throws ServiceError UNPROCESSABLE when the scheduler does not take the times */
  readonly add: (plan: Plan) => Promise<void>;
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Every entry there is. */
  readonly list: () => AsyncIterable<ListedEntry>;
};
