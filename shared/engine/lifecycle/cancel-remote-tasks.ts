import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../../stores/db.ts";
import { getRun } from "../../stores/runs/get-run.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { isRemote } from "../define/remote-agent.ts";
import type { Member } from "../define/team.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { markIn } from "../remote/remote-tools.ts";
import { cancelRemoteCalls } from "./cancel-remote-calls.ts";

type Deps = Pick<EnginePorts, "clock" | "callOut" | "toolSecrets" | "warn"> & {
  readonly db: Db;
  /** Those that this instance declares. */
  readonly members?: readonly Member[];
};

/**
 * Cancels the tasks of remote agents, and of tools, that ask something of a paused run which was cancelled: they will not be answered. A
 * run that is executed cancels its own.
 *
 * @param run  as it was before it was cancelled
 * @param now  epoch seconds
 */
export async function cancelRemoteTasks(deps: Deps, run: StoredRun, now: number): Promise<void> {
  const { members = [], db } = deps;
  const hasSources = members.some(({ tool_sources }) => tool_sources.length > 0);
  if ((!members.some(isRemote) && !hasSources) || run.status !== "PAUSED") return;
  const whole = await getRun(db, run, now);
  if (whole && hasSources) await cancelRemoteCalls(deps, whole, whole.output);
  const tasks = whole ? askingIn(whole.output) : [];
  if (tasks.length === 0) return;
  const { cancelRemoteTask } = await import("../remote/call-remote.ts");
  await Promise.all(
    tasks.map(async ({ agent_id, task_id }) => {
      const agent = members.filter(isRemote).find(({ id }) => id === agent_id);
      if (agent) await cancelRemoteTask(task_id, agent, deps);
    }),
  );
}

type Output = Pick<RunOutput, "agent_id" | "messages" | "tools"> &
  Pick<StoredOutput, "member_responses" | "step_executor_runs">;

/** Tasks of which a run, or a run within it, has had no answer since they asked. */
function askingIn(output: Output): { readonly agent_id: string; readonly task_id: string }[] {
  const { agent_id, messages = [], member_responses = [], step_executor_runs = [] } = output;
  const own = messages.findLast(({ role, from_history }) => role === "assistant" && !from_history);
  const task_id = own?.provider_data?.parts
    .map(({ options }) => markIn(options)?.task_id)
    .find((id) => id !== undefined);
  return [
    ...(agent_id !== undefined && task_id !== undefined ? [{ agent_id, task_id }] : []),
    ...[...member_responses, ...step_executor_runs].flatMap(askingIn),
  ];
}
