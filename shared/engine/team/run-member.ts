import type { Member, Team } from "../define/team.ts";
import { hasEnded } from "../run/member-run.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { MemberRun } from "../run/run-state.ts";
import { stateFromRun } from "../run/state-from-run.ts";
import type { Yielded } from "../run/yielded.ts";
import { memberPorts } from "./member-ports.ts";
import { memberRequest } from "./member-request.ts";
import type { LeadScope, TeamTool } from "./team-tool.ts";

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
