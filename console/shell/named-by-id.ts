import { PlatformError } from "../../client/index.ts";
import { runPath } from "../api/kinds.ts";
import { platform } from "../api/platform.ts";
import type { Target } from "./palette-targets.ts";

const ID = /^(dataset_)?[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text is an id as the platform gives them. */
export const isGivenId = (text: string): boolean => ID.test(text);

/** What an id names: a run, else a session, an approval, a schedule, an evaluation or a dataset; null where the reader sees nothing of that id. */
export async function namedBy(
  id: string,
  may: (scope: string) => boolean,
  mayReadRuns: boolean,
): Promise<Target | null> {
  if (id.startsWith("dataset_"))
    return may("evals:read") ? ((await datasetNamed(id).catch(noneFound)) ?? null) : null;
  const looks = [
    ...(mayReadRuns ? [runNamed] : []),
    ...(may("sessions:read") ? [sessionNamed] : []),
    ...(may("approvals:read") ? [approvalNamed] : []),
    ...(may("schedules:read") ? [scheduleNamed] : []),
    ...(may("evals:read") ? [evaluationNamed] : []),
  ];
  for (const look of looks) {
    const found = await look(id).catch(noneFound);
    if (found) return found;
  }
  return null;
}

function noneFound(error: unknown): undefined {
  if (!(error instanceof PlatformError) || error.status !== 404) throw error;
}

async function runNamed(run_id: string): Promise<Target | undefined> {
  const [run] = (await platform.listRuns({ query: { run_id, limit: 1 } })).data;
  if (!run) return undefined;
  const { component_type: kind, component_id: component, session_id: session, input_preview } = run;
  return {
    kind: "run",
    text: input_preview || run_id,
    to: runPath({ kind, component, session, run: run_id }),
  };
}

async function sessionNamed(session_id: string): Promise<Target> {
  const { session_name } = await platform.getSession({ path: { session_id }, query: { history_runs: 0 } });
  return { kind: "session", text: session_name || session_id, to: `/sessions/${session_id}` };
}

async function approvalNamed(approval_id: string): Promise<Target> {
  const { tool_name, source_name } = await platform.getApproval({ path: { approval_id } });
  return {
    kind: "approval",
    text: [tool_name, source_name].filter(Boolean).join(" of ") || approval_id,
    to: `/approvals?id=${approval_id}`,
  };
}

async function scheduleNamed(schedule_id: string): Promise<Target> {
  const { name } = await platform.getSchedule({ path: { schedule_id } });
  return { kind: "schedule", text: name, to: `/schedules/${schedule_id}` };
}

async function evaluationNamed(eval_run_id: string): Promise<Target> {
  const { name } = await platform.getEval({ path: { eval_run_id } });
  return { kind: "evaluation", text: name ?? eval_run_id, to: `/evaluations/${eval_run_id}` };
}

async function datasetNamed(dataset_id: string): Promise<Target> {
  const { name } = await platform.getDataset({ path: { dataset_id } });
  return { kind: "dataset", text: name, to: `/evaluations/datasets/${dataset_id}` };
}
