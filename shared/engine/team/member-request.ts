import { untilStopped } from "../abort/until-stopped.ts";
import type { Member } from "../define/team.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { MemberRun } from "../run/run-state.ts";
import { briefingFor } from "./briefing.ts";
import type { LeadScope } from "./team-tool.ts";

/** A member's request: its task, with the user, the session and the other inputs of its team's request. */
export async function memberRequest(run: MemberRun, member: Member, scope: LeadScope): Promise<RunRequest> {
  const { team, execution } = scope;
  const { request, sessionState } = execution;
  // The leader answers in the requested shape, unless the member's answer is the team's.
  const { output_schema, session_summary: _s, briefing: _b, ...shared } = request;
  const { run_id, task, tool_call_id, created_at } = run;
  return {
    ...shared,
    run_id,
    parent_run_id: request.run_id,
    parent_tool_call_id: tool_call_id,
    nested: { ...request.nested, nested_depth: (request.nested?.nested_depth ?? 0) + 1 },
    input: task,
    created_at,
    session_state: sessionState.current(),
    ...(team.mode === "route" && output_schema && { output_schema }),
    ...(await contextFor(run, member, scope)),
  };
}

/** History and briefing, which are read once, when the run begins. */
async function contextFor(
  run: MemberRun,
  member: Member,
  scope: LeadScope,
): Promise<Pick<RunRequest, "history" | "briefing">> {
  if (run.state) return { history: [] };
  const { signal, readMemberHistory } = scope.execution.ports;
  if (signal.aborted) return { history: [] };
  const reading = member.add_history_to_context && readMemberHistory?.(member.id, member.num_history_runs);
  const [history, briefing] = await untilStopped(
    Promise.all([reading || [], briefingFor(run, scope)]),
    signal,
  ).catch((thrown) => {
    if (!signal.aborted) throw thrown;
    return [[], ""] as const; // the run is stopped before its first model call
  });
  return { history, ...(briefing !== "" && { briefing }) };
}
