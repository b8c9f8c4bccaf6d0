import { onlineEvalId, type StoredEval } from "../../shared/stores/evals/eval-item.ts";

export type JudgeEnded = "passed" | "not passed" | "failed";

type Judged = { readonly run_id: string; readonly session_id: string; readonly user_id: string | null };

/** The evaluation by which the judge of a component has judged a run. @param now epoch seconds */
export const anOnlineEval = (
  { run_id, session_id, user_id }: Judged,
  ended: JudgeEnded,
  now: number,
): StoredEval => ({
  id: onlineEvalId(run_id),
  eval_type: "agent_as_judge",
  name: null,
  agent_id: "assistant",
  team_id: null,
  online: { run_id, session_id },
  evaluated_component_name: null,
  model_id: null,
  model_provider: null,
  eval_data: {},
  eval_input: {},
  user_id,
  status: ended === "failed" ? "failed" : "completed",
  ...(ended !== "failed" && { totals: { score: null, pass_rate: ended === "passed" ? 100 : 0 } }),
  error: null,
  cases: 1,
  trials: 1,
  done: 1,
  stalls: 0,
  created_at: now,
  updated_at: now,
});
