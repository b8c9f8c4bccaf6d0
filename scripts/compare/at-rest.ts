import type { Item } from "./stored-item.ts";

/** States that something is still done about. */
const busy = new Set(["queued", "running", "triggered", "processing", "PENDING", "RUNNING"]);

/** Whether everything that was begun has ended, and was traced: functions write traces after their responses. */
export function isAtRest(items: readonly Item[]): boolean {
  const traced = new Set(items.filter(isTrace).map(({ run_id }) => run_id));
  return items.every(
    (item) => !busy.has(String(item.status)) && (!isListedRun(item) || traced.has(item.run_id)),
  );
}

const isTrace = ({ pk, total_spans }: Item): boolean =>
  String(pk).startsWith("trace#") && total_spans !== undefined;
/** A run that no other run started. */
const isListedRun = ({ sk, owner_key }: Item): boolean =>
  String(sk).startsWith("run#") && owner_key !== undefined;
