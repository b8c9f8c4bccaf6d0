import type { RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { storedResultsOf } from "../../stores/runs/stored-results.ts";
import type { Member } from "../define/team.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { secretsFor } from "../run/execution.ts";
import { toolName } from "../tool/name-collisions.ts";
import type { AskingRun, Tool, ToolSource } from "../tool/tool.ts";

type Deps = Pick<EnginePorts, "toolSecrets" | "warn"> & {
  readonly db: Parameters<typeof storedResultsOf>[0];
  /** The agents and teams that this instance declares. */
  readonly members?: readonly Member[];
};

/**
 * Ends the calls of a paused run that was cancelled which go on at their servers, as tasks that have asked a person. A run that is
 * executed ends its own. Where that fails, the log says so.
 *
 * @param output  of the run as it was before it was cancelled
 */
export async function cancelRemoteCalls(deps: Deps, run: StoredRun, output: Output): Promise<void> {
  const results = storedResultsOf(deps.db, run);
  const asking = { run_id: run.run_id, session_id: run.session_id, user_id: output.user_id ?? null };
  await Promise.all(
    callsIn(output).map(async ({ member_id, call }) => {
      try {
        const sources = deps.members?.find(({ id }) => id === member_id)?.tool_sources ?? [];
        const kept = await results.get(call.remote_call?.kept ?? "");
        const found = kept === undefined ? undefined : await toolIn(sources, call.tool_name, asking, deps);
        if (kept !== undefined) await found?.tool.abandon?.(kept, found.asking);
      } catch (error) {
        deps.warn?.("a call that goes on at its server was not cancelled", {
          tool_name: call.tool_name,
          error,
        });
      }
    }),
  );
}

type Output = Pick<RunOutput, "agent_id" | "team_id" | "tools" | "user_id"> &
  Pick<StoredOutput, "member_responses" | "step_executor_runs">;

/** The calls of a run, and of the runs within it, that go on at their servers, with who has made them. */
function callsIn(output: Output): { readonly member_id: string; readonly call: ToolExecution }[] {
  const { agent_id, team_id, tools = [], member_responses = [], step_executor_runs = [] } = output;
  return [
    ...tools
      .filter(({ result, remote_call }) => result === null && remote_call?.follows)
      .map((call) => ({ member_id: agent_id ?? team_id ?? "", call })),
    ...[...member_responses, ...step_executor_runs].flatMap(callsIn),
  ];
}

/** A tool of the sources by the name that it has in an agent, and on whose behalf it is asked. */
async function toolIn(
  sources: readonly ToolSource[],
  name: string,
  asking: Omit<AskingRun, "secrets">,
  deps: Deps,
): Promise<{ readonly tool: Tool; readonly asking: AskingRun } | undefined> {
  for (const source of sources) {
    const whole = { ...asking, secrets: await secretsFor(source, deps) };
    const tools = await source.list(new AbortController().signal, whole);
    const named = (tool: Tool) => toolName(`${source.collision_prefix}_${tool.name}`) === name;
    const tool = tools.find((one) => one.name === name) ?? tools.find(named);
    if (tool) return { tool, asking: whole };
  }
  return undefined;
}
