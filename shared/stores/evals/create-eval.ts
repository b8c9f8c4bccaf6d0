import { asSeen, checkItem, putItem, transact, type Write } from "../../data/index.ts";
import { ServiceError } from "../../errors.ts";
import type { EvalPlan } from "../../schemas/evals/eval-plan.ts";
import type { Db } from "../db.ts";
import { packJson, spillBytes } from "../objects/spill.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { noteDatasetEval } from "./datasets/case-sources.ts";
import { datasetKey, type StoredDataset } from "./datasets/dataset-item.ts";
import { evalChange } from "./eval-change.ts";
import {
  evalDue,
  evalItem,
  evalObjects,
  fitted,
  planKey,
  type StoredEval,
  versionEvalKey,
} from "./eval-item.ts";

/** A message younger than this may still arrive. */
const SETTLING_SECONDS = 60;

/** Version of the stored plan; raised with every change of it. */
export const EVAL_PLAN_SHAPE = 2;

/**
 * Writes an evaluation with its plan. From then on a worker will execute it, even if its message is lost.
 *
 * @param seen  the dataset as it was before its cases were read
 * @throws ServiceError CONFLICT where cases of it were erased since: the plan would bring them back
 */
export async function createEval(
  db: Db,
  record: StoredEval,
  plan: EvalPlan,
  seen?: Pick<StoredDataset, "id" | "erasures">,
): Promise<void> {
  const { id, eval_data, eval_input, created_at, ...rest } = record;
  const [{ plain, large }, packed] = await Promise.all([
    fitted(db, id, { eval_data, eval_input }),
    packJson(plan),
  ]);
  const spilled = await spillBytes(db, evalObjects(id), packed);
  const item = evalItem({
    id,
    created_at,
    eval_data: {},
    eval_input: {},
    ...rest,
    ...plain,
    ...(large && { large }),
  });
  const publication = await publishChanges(db, [evalChange("evaluation.created", record, created_at)]);
  const { written } = await transact(db, {
    version: versionWrite(record),
    evaluation: putItem("evals", { ...item, ...evalDue.attributes(id, created_at + SETTLING_SECONDS) }),
    plan: putItem("evals", { ...planKey(id), plan: spilled, shape: EVAL_PLAN_SHAPE }),
    dataset: hasSources(plan) && seen ? datasetWrites(record, seen) : [],
    publication: publication.entries,
  });
  if (!written) throw new ServiceError("CONFLICT", "cases of the dataset were erased just now; try again");
  await publication.wake();
}

/** Whether it has cases that may be erased. */
const hasSources = ({ cases }: EvalPlan): boolean => cases.some(({ source_key }) => source_key !== undefined);

/** By the note an erasure finds the plan. One that was before the plan is counted, so that the plan is not written. */
const datasetWrites = ({ id }: StoredEval, dataset: Pick<StoredDataset, "id" | "erasures">) => [
  noteDatasetEval(dataset.id, id),
  checkItem("evals", datasetKey(dataset.id), { erasures: asSeen(dataset.erasures) }),
];

/** By this the gate of a version finds its evaluations. One with another model says nothing about the version. */
function versionWrite({
  id,
  agent_id,
  team_id,
  component_version,
  component_digest,
  created_at,
}: StoredEval): Write | undefined {
  const component_id = agent_id ?? team_id;
  if (component_id === null || component_version === undefined || component_digest === undefined)
    return undefined;
  return putItem("evals", { ...versionEvalKey(component_id, component_version, created_at, id), id });
}
