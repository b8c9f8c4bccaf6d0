import { DEFAULT_RUNS } from "../../domain/sessions/shown-runs.ts";
import { untilStopped } from "../../runtime/promises.ts";
import type { Member, Team } from "../define/team.ts";
import type { Inbox } from "../ports/inbox-port.ts";
import type { SlicePorts, Yielded } from "../run/execution.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { RunRequest } from "../run/run-request.ts";
import { hasEnded, type MemberRun } from "../run/run-state.ts";
import { stateFromRun } from "../run/state-from-run.ts";
import { transcript } from "../run/transcript.ts";
import { dependencyResults } from "./tasks.ts";
import { type LeadScope, memberAnswer, type TeamTool } from "./team-tool.ts";

/**
 * Executes a member's run, from its beginning or from where it yielded, until it ends, waits or yields, and puts the
 * result into the batch.
 *
 * @throws RunStopped with kind `lost`, and the error of a checkpoint that could not be saved
 */
export async function runMember(
  run: MemberRun,
  tool: Pick<TeamTool, "ended">,
  scope: LeadScope,
): Promise<MemberRun> {
  const { team, batch, execution } = scope;
  const member = memberOf(team, run.member_id);
  const request = await memberRequest(run, member, scope);
  const outcome = await execution.executeSlice(member, request, memberPorts(run, scope), run.state);
  const after = afterSlice(run, outcome, execution.ports.clock.now());
  batch.putRun(after);
  if (hasEnded(after) && !execution.ports.signal.aborted) tool.ended?.(after, scope);
  // Other members may take long, and this one's work must not be repeated. A finished batch is saved as a whole.
  if (isOneOfSeveral(scope)) await batch.saveCheckpoint();
  return after;
}

/** @throws when a deployment has taken the member out of the team since its run began */
function memberOf({ id, members }: Team, member_id: string): Member {
  const member = members.find((one) => one.id === member_id);
  if (!member) throw new Error(`team ${id} has no member ${member_id} any more`);
  return member;
}

const isOneOfSeveral = ({ batch }: LeadScope): boolean =>
  (batch.state().members ?? []).some((run) => run.output === undefined);

function afterSlice(before: MemberRun, outcome: RunOutcome | Yielded, nowMs: number): MemberRun {
  const { state: _s, output: paused, cause: _c, answered: earlier = [], ...run } = before;
  const answered = paused?.requirements ?? earlier;
  if (outcome.status === "YIELDED") {
    return { ...run, state: outcome.state, ...(answered.length > 0 && { answered }) };
  }
  const requirements = [...answered, ...(outcome.output.requirements ?? [])];
  const output = { ...outcome.output, ...(requirements.length > 0 && { requirements }) };
  if (outcome.status === "PAUSED") {
    return { ...run, output, state: stateFromRun(output, output.tools ?? [], nowMs) };
  }
  return { ...run, output, ...(outcome.status === "ERROR" && { cause: outcome.cause }) };
}

/**
 * The ports of a member's run, made from its team's: its checkpoints are saved within the team's state, and both share
 * the session state.
 */
function memberPorts(run: MemberRun, { team, batch, execution }: LeadScope): SlicePorts {
  const { continues: _, guardsAround, inbox, ...ports } = execution.ports;
  return {
    ...ports,
    // Whoever talks to a team talks to its leader, unless that has passed the conversation on.
    ...(inbox && { inbox: team.mode === "route" ? inbox : inboxOf(inbox, run.run_id) }),
    guardsAround: {
      pre: [...(guardsAround?.pre ?? []), ...team.pre_hooks],
      post: [...(guardsAround?.post ?? []), ...team.post_hooks],
      holdsStream:
        guardsAround?.holdsStream === true || (team.post_hooks.length > 0 && team.stream_hold !== "none"),
      keepsWithheld: guardsAround?.keepsWithheld === true || team.keep_withheld === "audit",
    },
    emit: team.stream_member_events ? ports.emit : () => undefined,
    sessionState: execution.sessionState,
    ...(run.output?.status === "PAUSED" && !ports.signal.aborted && { continues: true }),
    saveCheckpoint(state) {
      const { output, answered = output?.requirements, ...rest } = run;
      batch.putRun({ ...rest, state, ...(answered && { answered }) });
      return batch.saveCheckpoint();
    },
  };
}

/** What is for a member's run, and for the runs of its own members. */
const inboxOf = (inbox: Inbox, member_run_id: string): Inbox => ({
  ...inbox,
  take: (reader) => inbox.take(reader ?? { member_run_id }),
});

/** A member's request: its task, with the user, the session and the other inputs of its team's request. */
async function memberRequest(run: MemberRun, member: Member, scope: LeadScope): Promise<RunRequest> {
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
  const reading = member.add_history_to_context && readMemberHistory?.(member);
  const [history, briefing] = await untilStopped(
    Promise.all([reading || [], briefingFor(run, scope)]),
    signal,
  ).catch((thrown) => {
    if (!signal.aborted) throw thrown;
    return [[], ""] as const; // the run is stopped before its first model call
  });
  return { history, ...(briefing !== "" && { briefing }) };
}

/** What a member gets beside its task; empty where its team shares nothing. */
async function briefingFor(run: MemberRun, scope: LeadScope): Promise<string> {
  const { team } = scope;
  const parts = [
    team.add_team_history_to_members ? await teamHistory(scope) : "",
    team.share_member_interactions ? interactionsBefore(run, scope) : "",
    results(run, scope),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

async function teamHistory({ team, execution }: LeadScope): Promise<string> {
  const earlier =
    (await execution.ports.readChatHistory?.(
      team.num_team_history_runs ?? team.num_history_runs ?? DEFAULT_RUNS,
    )) ?? [];
  return under("What the team and the user said before:", transcript(earlier));
}

/** The answers of other calls of the same run. Members that work concurrently do not see each other's. */
function interactionsBefore({ tool_call_id }: MemberRun, { team, batch }: LeadScope): string {
  const others = (batch.state().members ?? []).filter(
    (run) => run.tool_call_id !== tool_call_id && hasEnded(run),
  );
  const answers = others.map(
    (run) => `${run.member_id} was asked: ${run.task}\n${memberAnswer(run, team).text}`,
  );
  return under("What other members were asked and answered in this run:", answers.join("\n\n"));
}

const results = ({ run_id }: MemberRun, { batch }: LeadScope): string =>
  under("Results of the tasks that this one builds on:", dependencyResults(batch.state().tasks, run_id));

const under = (heading: string, text: string): string => (text === "" ? "" : `${heading}\n${text}`);
