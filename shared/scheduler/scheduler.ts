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
 * Entries are created and removed, never changed: a change of times is another plan, whose entries have other names.
 * So no process can overwrite what another has just created, and creating or removing twice has no effect.
 */
export type Scheduler = {
  /** @throws ServiceError UNPROCESSABLE when the scheduler does not accept the times */
  readonly add: (plan: Plan) => Promise<void>;
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** When the group of all entries was made; epoch seconds. Entries of an earlier group went with it. */
  readonly groupMadeAt: () => Promise<number>;
  /** Every entry there is. */
  readonly list: () => AsyncIterable<ListedEntry>;
};
