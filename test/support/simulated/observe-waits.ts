import { type Attribute, numberOf, type StoredItem, textOf } from "./attributes.ts";
import type { WorldSettings } from "./product.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SimulatedTables, Written } from "./table.ts";

/** A message and its way through the index take less than this where nothing goes wrong. */
const PROMPT_MS = 5_000;

type Row = {
  readonly id: string;
  readonly user: string;
  readonly session: string;
  readonly status: string;
  /** Milliseconds. */
  readonly dueAt: number;
  /** Whether its policy is to wait for its session, and it was not requeued since. */
  readonly isInOrder: boolean;
  readonly waitsFor: readonly string[];
};

/**
 * Watches what jobs wait for: that two runs of one session that are to run in order never run side by side, and that
 * no job waits that is due, has no live run of its session before it, and whose user has room for it.
 *
 * @param isCalm  whether nothing goes wrong in this world; only then the second can be asked for
 */
export function observeWaits(
  scheduler: Pick<Scheduler, "now">,
  tables: () => SimulatedTables,
  settings: Pick<WorldSettings, "MAX_RUNNING_PER_USER" | "MAX_ATTEMPTS">,
  isCalm: boolean,
  violated: (what: string) => void,
) {
  const freeSince = new Map<string, number>();
  const limit = settings.MAX_RUNNING_PER_USER || Number.POSITIVE_INFINITY;

  const rowOf = (item: StoredItem): Row => ({
    id: textOf(item.id) ?? "",
    user: textOf(item.user_id) ?? "",
    session: textOf(item.session_id) ?? "",
    status: textOf(item.status) ?? "",
    dueAt: (numberOf(item.available_at) ?? 0) * 1000,
    isInOrder:
      / queue \d+$/.test(textOf((item.payload?.M as StoredItem | undefined)?.input) ?? "") && // shaped like an item
      numberOf(item.max_attempts) === settings.MAX_ATTEMPTS,
    waitsFor: Array.isArray(item.waits_for?.L)
      ? item.waits_for.L.map((one: Attribute) => textOf(one) ?? "")
      : [],
  });

  const sideBySide = (rows: readonly Row[]) => {
    const running = rows.filter(({ status, isInOrder }) => status === "running" && isInOrder);
    for (const [session, together] of Map.groupBy(running, ({ session }) => session))
      if (together.length > 1)
        violated(`runs ${together.map(({ id }) => id).join(" and ")} of ${session} run side by side`);
  };
  const heldBack = (rows: readonly Row[]) => {
    const now = scheduler.now();
    const live = new Set(rows.flatMap(({ id, status }) => (isLive(status) ? [id] : [])));
    for (const own of Map.groupBy(rows, ({ user }) => user).values()) {
      const hasRoom = own.filter(({ status }) => status === "running").length < limit;
      for (const { id, status, dueAt, waitsFor } of own) {
        const isFree =
          status === "queued" && hasRoom && dueAt <= now && !waitsFor.some((run) => live.has(run));
        if (!isFree) freeSince.delete(id);
        else if (!freeSince.has(id)) freeSince.set(id, now);
        const waitedMs = now - (freeSince.get(id) ?? now);
        if (waitedMs > PROMPT_MS) violated(`job ${id} waits for ${waitedMs} ms although nothing keeps it`);
      }
    }
  };
  return {
    written(group: readonly Written[]) {
      if (!group.some(({ key }) => key.startsWith("job#"))) return;
      const rows = tables()
        .items("jobs")
        .filter(({ sk }) => textOf(sk) === "job")
        .map(rowOf);
      sideBySide(rows);
      if (isCalm) heldBack(rows);
    },
  };
}

const isLive = (status: string): boolean => status === "queued" || status === "running";
