import type { JSONSchema7 } from "@ai-sdk/provider";
import * as v from "valibot";
import { untilStopped } from "../../runtime/promises.ts";
import type { ClientTool } from "../../schemas/runs/client-tool.ts";
import { resultToolsBeside } from "../context/large-results.ts";
import { isRemote } from "../define/remote-agent.ts";
import type { Member } from "../define/team.ts";
import type { RunFault } from "../model/model-fault.ts";
import { oneApproval } from "../pause/requirements-of.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { remoteTools } from "../remote/remote-tools.ts";
import {
  type Execution,
  openExecution,
  type SlicePorts,
  secretsFor,
  type Yielded,
} from "../run/execution.ts";
import { nextStep, type Step, stoppedBy } from "../run/next-step.ts";
import { knownWindow } from "../run/prompt-size.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { RunRequest } from "../run/run-request.ts";
import { newRunState, type RunState } from "../run/run-state.ts";
import { traceRun } from "../run/trace-run.ts";
import { teamTools } from "../team/team-tools.ts";
import { distinctTools, type ToolGroup } from "../tool/name-collisions.ts";
import type { Tool, ToolSource } from "../tool/tool.ts";
import { admitInserted, admitRequest, admittedState } from "../turn/admit-texts.ts";
import { answerBudget } from "../turn/budget-call.ts";
import { firstMessages } from "../turn/build-prompt.ts";
import { finishRun } from "./finish-run.ts";
import { takeStep } from "./take-step.ts";

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
  const { tools, fault } = await toolsOf(runnable, ports, request);
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

/**
 * Begins a run: emits its start, runs the hooks on the input, then gathers the first messages.
 *
 * @returns its state before the first step, with the ending when it may not take a step
 * @throws  what the signal was aborted with, unless that is a RunStopped
 */
export async function beginRun(execution: Execution): Promise<Step> {
  const { emit, model, ports } = execution;
  const { clock, signal } = ports;
  if (ports.continues) emit({ event: "RunContinued" });
  else emit({ event: "RunStarted", model: model.id, model_provider: model.provider });
  const startedAtMs = clock.now();
  const empty = newRunState([], startedAtMs);
  try {
    const refused = await admitRequest(execution);
    if (refused) return failed(empty, refused);
    const { messages, inserted } = await untilStopped(firstMessages(execution), signal);
    const fault = await admitInserted(inserted, execution);
    if (fault) return failed(empty, fault);
    const { prompt } = execution.request;
    const state = { ...newRunState(messages, startedAtMs), ...(prompt && { prompt }) };
    return { state: admittedState(state, execution) };
  } catch (thrown) {
    if (signal.aborted) return { state: empty, ending: stoppedBy(signal) };
    return failed(empty, brokenInstructions(thrown));
  }
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });

const brokenInstructions = (thrown: unknown): RunFault => ({
  cause: "internal",
  text: "The agent's instructions could not be made.",
  thrown,
});

type Ports = Pick<EnginePorts, "models" | "results" | "signal" | "toolSecrets" | "warn">;

export type FoundTools = { readonly tools: readonly Tool[]; readonly fault?: RunFault };

/**
 * The tools that an agent has in one execution: its own, those of its sources, a leader's tools for its members, those that read
 * what is kept out of its prompt, and those of the run's client.
 *
 * @decided  A source that does not answer fails the run. Otherwise the agent would answer without its tools, and this
 *           would go unnoticed.
 */
async function toolsOf(
  agent: Member,
  ports: Ports,
  request: Pick<RunRequest, "run_id" | "session_id" | "user_id" | "client_tools">,
): Promise<FoundTools> {
  const { signal } = ports;
  const listed = await Promise.all(agent.tool_sources.map((source) => listTools(source, ports, request)));
  const forMembers = agent.kind === "team" ? teamTools(agent) : [];
  const ofClient = clientTools(request.client_tools ?? []);
  const given: readonly ToolGroup[] = [
    { of: "its own", tools: agent.tools },
    ...listed.map((found, i) => groupOf(agent.tool_sources, i, found)),
    { of: "those for its members", tools: forMembers },
    { of: "its client's", tools: ofClient },
  ];
  const readers = resultToolsBeside(
    given.flatMap((group) => group.tools),
    agent,
    ports.results,
    knownWindow({ spec: agent.model, ports }),
  );
  const { tools, clash } = distinctTools([
    ...given.slice(0, -1),
    { of: "the platform's", tools: [...readers, ...(isRemote(agent) ? remoteTools : [])] },
    ...given.slice(-1),
  ]);
  const fault =
    listed.find((found) => found.fault)?.fault ?? (clash === undefined ? undefined : ambiguous(clash));
  return { tools, ...(fault && !signal.aborted && { fault }) };
}

/** A source that has no name is named by its place, too. */
function groupOf(sources: readonly ToolSource[], at: number, { tools }: FoundTools): ToolGroup {
  const { name = "", collision_prefix } = sources[at] ?? {};
  const isNamedSo = sources.filter((source) => source.name === name).length > 1;
  return { of: isNamedSo ? `${name} (tool source ${at + 1})` : name, tools, collision_prefix };
}

const ambiguous = (text: string): RunFault => ({ cause: "internal", text, thrown: new Error(text) });

async function listTools(
  source: ToolSource,
  ports: Ports,
  { run_id, session_id, user_id }: Pick<RunRequest, "run_id" | "session_id" | "user_id">,
): Promise<FoundTools> {
  const { signal } = ports;
  try {
    const secrets = await untilStopped(secretsFor(source, ports), signal);
    return {
      tools: await untilStopped(source.list(signal, { run_id, session_id, user_id, secrets }), signal),
    };
  } catch (thrown) {
    const text = `The tools of ${source.name} could not be listed.`;
    return { tools: [], fault: { cause: "tools", text, thrown } };
  }
}

/** The client validates the arguments itself; here they only have to be an object. */
const AnyArguments = v.record(v.string(), v.unknown());

/** Tools that the client of a run brings along. The run pauses before a call, until the client has sent the result. */
const clientTools = (declared: readonly ClientTool[]): Tool[] =>
  declared.map(({ name, description, parameters }) => ({
    name,
    description: description ?? name,
    parameters: AnyArguments,
    input_schema: { type: "object", properties: {}, ...parameters } as JSONSchema7, // as the client declared it
    effect: "safe",
    external_execution: true,
    external_execution_silent: true,
  }));
