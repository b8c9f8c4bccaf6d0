import { answerBudget } from "../budget/answer-budget.ts";
import type { Member } from "../define/team.ts";
import { oneApproval } from "../pause/stamp-approval.ts";
import { type Execution, openExecution } from "../run/execution.ts";
import { nextStep } from "../run/next-step.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { RunState } from "../run/run-state.ts";
import type { SlicePorts } from "../run/slice-ports.ts";
import type { Step } from "../run/step.ts";
import type { Yielded } from "../run/yielded.ts";
import { traceRun } from "../trace/trace-run.ts";
import { beginRun } from "./begin-run.ts";
import { finishRun } from "./finish-run.ts";
import { takeStep } from "./take-step.ts";
import { toolsOf } from "./tools-of.ts";

/**
 * Executes a run from its beginning, or from a yielded, saved or paused state, until it ends or is asked to yield.
 * Several slices emit the same events in the same order as one execution without a break.
 *
 * @param from  the state that the slice before this one yielded; of a paused run, with the answers in its `tools`
 */
export function executeSlice(
  runnable: Member,
  request: RunRequest,
  ports: SlicePorts,
  from?: RunState,
): Promise<RunOutcome | Yielded> {
  return traceRun(runnable, request, ports, (traced) => executeSteps(runnable, request, traced, from));
}

async function executeSteps(
  runnable: Member,
  request: RunRequest,
  ports: SlicePorts,
  from: RunState | undefined,
): Promise<RunOutcome | Yielded> {
  const { tools, fault } = await toolsOf(runnable, ports, request.client_tools);
  const approvalId = ports.approvalId ?? oneApproval(from, ports.newId);
  const execution = openExecution(runnable, request, { ...ports, approvalId }, { executeSlice, tools });
  let step: Step = from ? answerBudget(resumed(from, execution)) : await beginRun(execution);
  if (fault) return finishRun({ kind: "failed", fault }, step.state, execution);
  while (!step.ending) {
    step = await takeStep(step.state, execution);
    if (request.parent_run_id === undefined) execution.sessionState.joinWork();
    // A step that was aborted is not done: the run ends here. It does not yield, or the step would be repeated.
    if (step.ending || ports.signal.aborted) continue;
    const hasMore = hasMoreSteps(step.state);
    if (ports.shouldYield?.(!hasMore)) return { status: "YIELDED", state: step.state };
    if (hasMore) await ports.saveCheckpoint?.(step.state);
  }
  return finishRun(step.ending, step.state, execution);
}

/** A team whose members waited emits its event after theirs. */
function resumed(from: RunState, { emit, ports }: Execution): RunState {
  if (!ports.continues) return from;
  if (from.members?.some(({ output }) => output?.status === "PAUSED"))
    return { ...from, owes_continued: true };
  emit({ event: "RunContinued" });
  return from;
}

/** A run that answers or pauses next needs no checkpoint: its end saves everything. */
const hasMoreSteps = (state: RunState): boolean => ["call_model", "run_tools"].includes(nextStep(state));
