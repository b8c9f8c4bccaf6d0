import { createHash } from "node:crypto";
import type { RemoteAgent } from "../define/remote-agent.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import { type Execution, withoutSecrets } from "../run/execution.ts";
import { type Step, stoppedBy } from "../run/next-step.ts";
import { saveModelFiles } from "../run/run-media.ts";
import type { RemoteTask, RunState } from "../run/run-state.ts";
import { type ModelTurn, requestMetrics } from "../turn/call-model.ts";
import { stepInstead, traceModelCall } from "../turn/call-within-budget.ts";
import { holdBudget } from "../turn/hold-budget.ts";
import { guardsOutput, guardTurn, withheldStep } from "../turn/output-guards.ts";
import { recordBrokenTurn, recordTurn } from "../turn/record-turn.ts";
import { callRemote, type RemoteCall } from "./call-remote.ts";
import { isAsking, type RemoteAnswer } from "./remote-answer.ts";
import { freshText } from "./remote-message.ts";
import { AGAIN_TOOL, ANSWER_TOOL, markIn, type RemoteMark } from "./remote-tools.ts";

/**
 * Takes the step of a remote agent's run that is a model call in others: sends what the agent has not received, and follows its
 * task until that has ended, asks for something, or the run has to yield.
 *
 *   message and its id into the checkpoint ─▶ sent ─▶ task's id into the checkpoint ─▶ followed ─▶ recorded
 *                                              └ process dies: looked for by its id, or a person is asked
 *
 * What it asks becomes a tool call that waits for a person; the answer goes to the same task.
 *
 * @throws RunStopped with kind `lost`, and the error of a checkpoint that could not be saved
 */
export async function remoteStep(before: RunState, agent: RemoteAgent, execution: Execution): Promise<Step> {
  const { signal } = execution.ports;
  const refused = refusedRepeat(before, agent);
  if (refused) return { state: before, ending: { kind: "failed", fault: refused } };
  const held = await holdBudget(before, noUsage, `step-${before.calls}`, execution);
  if (!held.held) return stepInstead(held, before, execution);
  const mark = lastMark(before);
  const task = before.remote ?? nextTask(before, mark, execution);
  let made: { readonly ran: RemoteCall; readonly turn: ModelTurn } | undefined;
  const call = async () => {
    const ran = await callRemote({ ...before, remote: task }, before.remote !== undefined, agent, execution);
    const said = turnOf(ran, mark, execution);
    if (ran.end.ended === "yielded") {
      made = { ran, turn: said };
      return { ...ran.end, turn: said };
    }
    const turn = await guardTurn(before, said, execution, besideText(ran, said));
    const end =
      ran.end.ended === "broken" && turn.withheld ? { ...ran.end, fault: turn.withheld.fault } : ran.end;
    made = { ran: { ...ran, end }, turn };
    return { ...end, turn };
  };
  await traceModelCall(before.messages, execution, call, String(before.calls));
  if (!made) throw new Error("the call was not made");
  const { ran } = made;
  const turn = await withFiles(made.turn, ran, before, execution);
  if (guardsOutput(execution) && ran.end.ended === "answered") emitWhole(turn, execution);
  await held.settle(turn.usage);
  const { remote, ...rest } = ran.state;
  // What was emitted of this answer already is a part of the turn.
  const bare = { ...rest, content: rest.content.slice(0, rest.content.length - (remote?.told ?? 0)) };
  switch (ran.end.ended) {
    case "yielded":
      return { state: ran.state };
    case "answered":
      execution.emit({
        event: "ModelRequestCompleted",
        model: execution.model.id,
        model_provider: execution.model.provider,
        ...requestMetrics(turn),
      });
      return turn.withheld
        ? withheldStep(recordTurn(bare, turn, execution), turn.withheld, execution)
        : { state: recordTurn(bare, turn, execution) };
    case "broken": {
      if (!signal.aborted) {
        const state = recordBrokenTurn(bare, turn, execution);
        if (turn.withheld) return withheldStep(state, turn.withheld, execution);
        return { state, ending: { kind: "failed", fault: ran.end.fault } };
      }
      // The task goes with the state, so that it can be cancelled.
      const state = { ...recordBrokenTurn(bare, turn, execution), ...(remote && { remote }) };
      return { state, ending: stoppedBy(signal) };
    }
  }
}

/** What the remote agent says beside its answer: what it asks, or why it failed, which is in its words too. */
const besideText = ({ end }: RemoteCall, { calls }: ModelTurn): string =>
  end.ended === "broken" ? end.fault.text : calls.map((call) => call.arguments).join("\n");

/** Text that was held back until the guards of the output had let it pass. */
function emitWhole({ text, withheld }: ModelTurn, { emit }: Execution): void {
  if (withheld || text === "") return;
  emit({
    event: "RunContent",
    content: text,
    content_type: "str",
    workflow_agent: false,
    reasoning_content: "",
  });
}

/** A message that follows the last one: to the task that asked, if one did, else one that begins a task. */
function nextTask({ messages }: RunState, mark: RemoteMark | undefined, execution: Execution): RemoteTask {
  const { request, ports, agent } = execution;
  const at = messages.findLastIndex(({ role, from_history }) => role === "assistant" && !from_history);
  const common = { arrived: false, sent_at_ms: ports.clock.now(), told: 0 };
  if (mark && isAbout(messages[at], AGAIN_TOOL)) {
    // The same message once more: what it consists of precedes the question about it.
    const from = messages
      .slice(0, at)
      .findLastIndex(({ role, from_history }) => role === "assistant" && !from_history);
    return {
      ...common,
      ...idsOf(mark),
      message_id: mark.message_id,
      from: from + 1,
      answered: mark.answered,
    };
  }
  const message_id = `${request.run_id}-${messages.length}`;
  const from = at + 1;
  if (mark) return { ...common, ...idsOf(mark), message_id, from, answered: mark.answered };
  const context_id = agent.kind === "agent" && agent.remote?.context === "run" ? "" : contextOf(execution);
  return { ...common, message_id, from, context_id, answered: 0 };
}

const idsOf = ({ context_id, task_id }: RemoteMark) => ({
  context_id,
  ...(task_id !== undefined && { task_id }),
});

/** The conversation that the runs of a session have there. It reveals nothing of the session. */
const contextOf = ({ request, agent }: Execution): string =>
  createHash("sha256").update(`${request.session_id}\0${agent.id}`).digest("hex").slice(0, 32);

/** What the last answer left to go on from: there is something only where it asked. */
function lastMark({ messages }: RunState): RemoteMark | undefined {
  const last = messages.findLast(({ role, from_history }) => role === "assistant" && !from_history);
  return last?.provider_data?.parts.map(({ options }) => markIn(options)).find((mark) => mark !== undefined);
}

const isAbout = (message: RunState["messages"][number] | undefined, tool: string): boolean =>
  message?.tool_calls?.some((call) => call.function.name === tool) === true;

/** A person has decided that a message which may have arrived is not sent again. */
function refusedRepeat({ messages }: RunState, { name }: RemoteAgent) {
  const last = messages.at(-1);
  if (last?.role !== "tool" || last.tool_name !== AGAIN_TOOL || !last.tool_call_error) return undefined;
  const text = `It is not known whether the remote agent ${name} got the message, and it was not sent again.`;
  return { cause: "model" as const, text, thrown: undefined };
}

/** What a call has brought, in the form of a model's turn. */
function turnOf(ran: RemoteCall, mark: RemoteMark | undefined, { ports, model }: Execution): ModelTurn {
  const { state, end, answer } = ran;
  const task = state.remote;
  const text = answer ? freshText(answer, state, ports) : "";
  const usage = usageOf(answer, mark);
  const question = end.ended === "answered" ? questionOf(ran) : undefined;
  const nowMs = ports.clock.now();
  return {
    text,
    reasoning: "",
    calls: question ? [question] : [],
    usage,
    ...(question &&
      task && {
        provider_data: {
          provider: model.provider,
          model: model.id,
          parts: [{ type: "tool-call" as const, options: { a2a: markOf(task, text, answer) } }],
        },
      }),
    started_at_ms: task?.sent_at_ms ?? nowMs,
    first_token_at_ms: ran.first_token_at_ms,
    ended_at_ms: nowMs,
  };

  function questionOf({ asks }: RemoteCall) {
    if (asks === "again") {
      const reason =
        "The process that sent the message has died. The remote agent may have got it, and would do it twice.";
      return callOf(AGAIN_TOOL, { reason });
    }
    if (!answer || !isAsking(answer.state)) return undefined;
    const asked = withoutSecrets(answer.said, ports);
    return callOf(ANSWER_TOOL, { question: asked === "" ? "The remote agent waits for an answer." : asked });
  }

  function callOf(name: string, args: object) {
    return { id: `${task?.message_id ?? ports.newId()}-asks`, name, arguments: JSON.stringify(args) };
  }
}

const markOf = (task: RemoteTask, text: string, answer: RemoteAnswer | undefined): RemoteMark => ({
  message_id: task.message_id,
  context_id: task.context_id,
  ...(task.task_id !== undefined && { task_id: task.task_id }),
  answered: task.answered + text.length,
  input_tokens: answer?.tokens.input_tokens ?? 0,
  output_tokens: answer?.tokens.output_tokens ?? 0,
});

/** What is reported counts from the beginning of the task, so what was used before its question is taken off. */
function usageOf(answer: RemoteAnswer | undefined, mark: RemoteMark | undefined): Usage {
  const since = (now = 0, before = 0) => (now >= before ? now - before : now);
  return {
    ...noUsage,
    input_tokens: since(answer?.tokens.input_tokens, mark?.input_tokens),
    output_tokens: since(answer?.tokens.output_tokens, mark?.output_tokens),
  };
}

async function withFiles(
  turn: ModelTurn,
  { answer, end }: RemoteCall,
  { messages }: RunState,
  execution: Execution,
): Promise<ModelTurn> {
  if (
    end.ended !== "answered" ||
    turn.withheld ||
    turn.calls.length > 0 ||
    !answer ||
    answer.files.length === 0
  )
    return turn;
  return { ...turn, media: await saveModelFiles(answer.files, messages, execution) };
}
