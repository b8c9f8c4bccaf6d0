import { dueIndex } from "../../work/due.ts";

export const evalKey = (id: string) => ({ pk: `eval#${id}`, sk: "eval" });

/** The parts of one evaluation: not in its own partition, so that its record is found as long as any part is left. */
export const partsPartition = (id: string): string => `parts#${id}`;

/** Its plan. */
export const planKey = (id: string) => ({ pk: partsPartition(id), sk: "plan" });

export const trialKey = (id: string, number: number) => ({ pk: partsPartition(id), sk: trialSort(number) });

/** The session of a trial's run. @param number counted from 0 */
export const trialSession = (id: string, number: number): string => `eval_${id}_${number + 1}`;

/** The trial whose run is in a session; undefined for all other sessions. */
export function trialOfSession(
  sessionId: string,
): { readonly id: string; readonly number: number } | undefined {
  const [, id, count] = /^eval_(.+)_(\d{1,6})$/.exec(sessionId) ?? [];
  return id === undefined ? undefined : { id, number: Number(count) - 1 };
}

/** Sorts by number. */
export const trialSort = (number: number): string => `trial#${String(number).padStart(6, "0")}`;

/** Where the evaluations of one version of a stored component are found, the newest last. */
export const versionEvalsPartition = (component_id: string, version: number): string =>
  `version-evals#${component_id}#${version}`;

export const versionEvalKey = (component_id: string, version: number, created_at: number, id: string) => ({
  pk: versionEvalsPartition(component_id, version),
  sk: `${String(created_at).padStart(12, "0")}#${id}`,
});

/** Prefix of the objects of an evaluation. */
export const evalObjects = (id: string): string => `evals/${id}/`;

/** The only partition of the index by_due: evaluations are few, and each is in it only until it has ended. */
const DUE = "due";

/** Unfinished evaluations, and removed evaluations and datasets of which something is left. */
export const evalDue = dueIndex<string>({
  table: "evals",
  partition: "due_key",
  partitions: [DUE],
  keyOf: (id) => ({ partition: DUE, sort: id }),
  storesTime: false,
  perRound: 500,
});
