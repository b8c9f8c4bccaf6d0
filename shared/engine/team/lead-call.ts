import { allSettled } from "../../runtime/promises.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Execution } from "../run/execution.ts";
import { waitsForPerson } from "../run/next-step.ts";
import { hasEnded, type MemberRun, type RunState, runsOfCall } from "../run/run-state.ts";
import { type Batch, emitCallEnd, emitCallWaiting, openBatch } from "../turn/batch.ts";
import { runMember } from "./run-member.ts";
import type { LeadScope, TeamTool } from "./team-tool.ts";

/** Teams within teams, counted from the outermost run. No declaration needs as many. */
const MAX_LEVELS = 10;

/**
 * Completes one call of a leader: answers it, or runs members for it. Members' runs that were begun in another process
 * resume where they stopped; those that have ended are not run again.
 *
 * @returns the call with its result; without one while a member's run waits for a person, has yielded or was stopped
 */
export async function leadCall(
  tool: TeamTool,
  args: Record<string, unknown>,
  call: ToolExecution,
  batch: Batch,
  execution: Execution,
): Promise<ToolExecution> {
  const { agent, ports, request } = execution;
  if (ports.signal.aborted || agent.kind !== "team") return call;
  const scope: LeadScope = { team: agent, call, batch, execution };
  const known = runsOfCall(batch.state(), call);
  if (known.length > 0) return runMembers(tool, call, known, scope);
  execution.emit({ event: "ToolCallStarted", tool: call });
  const startMs = ports.clock.now();
  if ((request.nested?.nested_depth ?? 0) >= MAX_LEVELS) {
    const text = `No task can be handed on: there are ${MAX_LEVELS} teams within teams already.`;
    return emitCallEnd(call, { text, failed: true }, startMs, execution);
  }
  const led = tool.lead(args, scope);
  if ("answer" in led) return emitCallEnd(call, led.answer, startMs, execution);
  for (const run of led.runs) batch.putRun(run);
  return runMembers(tool, withChild(call, led.runs), led.runs, scope, startMs);
}

/** @param startMs  epoch milliseconds of the call's start; in another process, that of its first run */
async function runMembers(
  tool: TeamTool,
  call: ToolExecution,
  begunRuns: readonly MemberRun[],
  scope: LeadScope,
  startMs = (begunRuns[0]?.created_at ?? 0) * 1000,
): Promise<ToolExecution> {
  const { batch, execution } = scope;
  batch.putCall(call);
  const due = begunRuns.filter((run) => !hasEnded(run) && !waitsForPerson(run));
  await allSettled(due.map((run) => runMember(run, tool, scope)));
  const runs = runsOfCall(batch.state(), call);
  if (runs.every(hasEnded) && !execution.ports.signal.aborted)
    return conclude(tool, call, runs, scope, startMs);
  const isSettled = runs.every((run) => hasEnded(run) || waitsForPerson(run));
  if (isSettled && !execution.ports.signal.aborted && !runs.some((run) => run.told)) {
    emitCallWaiting(call, startMs, execution);
    for (const run of runs) batch.putRun({ ...run, told: true });
  }
  return call;
}

function conclude(
  tool: TeamTool,
  call: ToolExecution,
  runs: readonly MemberRun[],
  scope: LeadScope,
  startMs: number,
): ToolExecution {
  const answer = tool.conclude?.(runs, scope) ?? { text: "", failed: false };
  scope.batch.putMedia(call, answer.media);
  if (!runs.some((run) => run.told)) return emitCallEnd(call, answer, startMs, scope.execution);
  return { ...call, result: answer.text, tool_call_error: answer.failed };
}

/** A call with one run names that run; every run names its call anyway. */
const withChild = (call: ToolExecution, runs: readonly MemberRun[]): ToolExecution => ({
  ...call,
  child_run_id: runs.length === 1 ? (runs[0]?.run_id ?? null) : null,
});

/**
 * Ends the running and waiting runs of members in a team whose own run was stopped: each takes no further step and
 * emits its end.
 */
export async function endMembers(state: RunState, execution: Execution): Promise<RunState> {
  const { agent } = execution;
  const { members = [] } = state;
  if (agent.kind !== "team" || members.every(hasEnded)) return state;
  const { saveCheckpoint: _, ...ports } = execution.ports;
  const ending = { ...execution, ports };
  const batch = openBatch(state, ending);
  await allSettled(
    members
      .filter((run) => !hasEnded(run))
      .map((run) => {
        const call = state.tools.find(({ tool_call_id }) => tool_call_id === run.tool_call_id);
        if (!call) throw new Error(`no call of the run has asked for ${run.run_id}`);
        return runMember(run, {}, { team: agent, call, batch, execution: ending });
      }),
  );
  return batch.state();
}
