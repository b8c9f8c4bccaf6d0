import type { Db } from "../db.ts";
import { tellChanges } from "../outbox/change-event.ts";
import { transact } from "../transact.ts";
import { changeEval } from "./change-eval.ts";
import { hasLease } from "./claim-eval.ts";
import { evalChange } from "./eval-change.ts";
import { fitted, type LeasedEval, type StoredEval, unpurged } from "./eval-item.ts";
import { evalKey } from "./eval-keys.ts";

type Results = Pick<StoredEval, "eval_data" | "metrics" | "totals">;

/**
 * How an evaluation ended: with its results, or with the reason why they say nothing. A failed one has results too if all
 * of its trials were run.
 */
export type EvalOutcome =
  | ({ readonly status: "completed" } & Results)
  | ({ readonly status: "failed"; readonly error: string } & Partial<Results>);

/**
 * Ends an evaluation. No worker claims it any more, and it is due no more.
 *
 * @param now  epoch seconds
 * @returns    false when another worker has it by now, something was removed from it since it was claimed, or it is gone
 */
export async function endEval(
  db: Db,
  record: LeasedEval,
  outcome: EvalOutcome,
  now: number,
): Promise<boolean> {
  const { id, worker, large: before } = record;
  const purges = unpurged(record);
  const { eval_data } = outcome;
  const { plain, large } = eval_data ? await fitted(db, id, { eval_data }) : { plain: {}, large: undefined };
  const set: Readonly<Record<string, unknown>> = {
    ...outcome,
    ...(eval_data && { eval_data: {}, ...plain }),
    ...(large && { large: { ...before, ...large } }),
    updated_at: now,
  };
  const names = Object.entries(set).filter(([, value]) => value !== undefined);
  const change = {
    UpdateExpression: `SET ${names.map(([name]) => `#${name} = :${name}`).join(", ")} REMOVE lease_until, due_key, due, #worker`,
    ConditionExpression: `${hasLease} AND ${purges.condition}`,
    ExpressionAttributeNames: {
      "#worker": "worker",
      ...Object.fromEntries(names.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ":worker": worker,
      ...purges.values,
      ...Object.fromEntries(names.map(([name, value]) => [`:${name}`, value])),
    },
  };
  const told = await tellChanges(db, [evalChange(`evaluation.${outcome.status}`, record, now)]);
  if (told.entries.length === 0) return (await changeEval(db, id, change)) !== undefined;
  const Update = { TableName: db.tables.evals, Key: evalKey(id), ...change };
  const { written } = await transact(db, () => [{ Update }, ...told.entries]);
  if (written) await told.wake();
  return written;
}
