import { isNew, type Put, putItem } from "../../data/index.ts";
import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { Change } from "../outbox/change-event.ts";
import { evalDue, evalItem, type StoredEval } from "./eval-item.ts";

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
