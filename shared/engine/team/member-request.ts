import { untilStopped } from "../abort/until-stopped.ts";
import type { Member } from "../define/team.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { MemberRun } from "../run/run-state.ts";
import { briefingFor } from "./briefing.ts";
import type { LeadScope } from "./team-tool.ts";

/** What a member is asked: its task, for the same user in the same session, with all that the team was given besides. */
export async function memberRequest(run: MemberRun, member: Member, scope: LeadScope): Promise<RunRequest> {
  const { team, execution } = scope;
  const { request, sessionState } = execution;
  // An answer of the asked shape is the leader's to give, unless the member's answer is the team's.
  const { output_schema, session_summary: _s, briefing: _b, ...given } = request;
  const { run_id, task, tool_call_id, created_at } = run;
  return {
    ...given,
    run_id,
    parent_run_id: request.run_id,
    parent_tool_call_id: tool_call_id,
    nested: { ...request.nested, nested_depth: (request.nested?.nested_depth ?? 0) + 1 },
    input: task,
    created_at,
    session_state: sessionState.current(),
    ...(team.mode === "route" && output_schema && { output_schema }),
    ...(await toldBefore(run, member, scope)),
  };
}

/** What is said before the task is read once, by a run that begins. */
async function toldBefore(
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
    return [[], ""] as const; // the run is stopped before it shows anything to anybody
  });
  return { history, ...(briefing !== "" && { briefing }) };
}
