import { isNew, type Put, putItem, transact, type Write } from "../../data/index.ts";
import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { EvalPlan } from "../../schemas/evals/eval-plan.ts";
import type { Db } from "../db.ts";
import { packJson, spillBytes } from "../objects/spill.ts";
import { type Change, publishChanges } from "../outbox/change-event.ts";
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
export const EVAL_PLAN_SHAPE = 1;

/** Writes an evaluation with its plan. From then on a worker will execute it, even if its message is lost. */
export async function createEval(db: Db, record: StoredEval, plan: EvalPlan): Promise<void> {
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
    publication: publication.entries,
  });
  if (written) await publication.wake();
}

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

/** What is published of an evaluation. @param now epoch seconds */
export function evalChange(
  type: Extract<ChangeType, `evaluation.${string}`>,
  { id, user_id, agent_id, team_id, name, eval_type, cases, trials, dataset_id, online }: StoredEval,
  now: number,
): Change {
  const agent = agent_id === null ? undefined : { type: "agent" as const, id: agent_id };
  const team = team_id === null ? undefined : { type: "team" as const, id: team_id };
  return {
    type,
    id,
    owner: user_id,
    component: agent ?? team,
    facts: {
      ...{ name, eval_type, cases, trials, dataset_id: dataset_id ?? null },
      // The run that was judged after its end.
      ...(online && { run_id: online.run_id, session_id: online.session_id }),
    },
    now,
  };
}

/** The write of the evaluation of a run, with the run's end, once. It is due at once: no message is sent for it. */
export const putOnlineEval = (record: StoredEval): Put =>
  putItem("evals", { ...evalItem(record), ...evalDue.attributes(record.id, record.created_at) }, isNew);
