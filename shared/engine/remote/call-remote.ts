import { TaskState } from "@a2a-js/sdk";
import type { RemoteAgent } from "../define/remote-agent.ts";
import type { RunFault } from "../model/model-fault.ts";
import { type Execution, withoutSecrets } from "../run/execution.ts";
import { RunStopped } from "../run/next-step.ts";
import type { RemoteTask, RunState } from "../run/run-state.ts";
import { waitBeforeRetry } from "../turn/call-model.ts";
import { guardsOutput } from "../turn/output-guards.ts";
import { connectRemote, createCircuitBreaker } from "./connect-remote.ts";
import { findSent, followRemote } from "./follow-remote.ts";
import type { RemoteAnswer, RemoteProgress } from "./remote-answer.ts";
import { RemoteFault, remoteFault } from "./remote-fault.ts";
import { freshText, remoteMessage } from "./remote-message.ts";

/** How one call of a remote agent ended. `yielded`: its task goes on, and another process follows it. */
export type RemoteCall = {
  readonly end:
    | { readonly ended: "answered" }
    | { readonly ended: "yielded" }
    | {
        readonly ended: "broken";
        readonly fault: RunFault;
        readonly sawFiles: false;
        readonly wasMarked: false;
      };
  /** With the task as far as it is known, and with how much of its answer was emitted. */
  readonly state: RunState;
  readonly answer?: RemoteAnswer;
  /** Set where it must be decided whether the message is sent again. */
  readonly asks?: "again";
  /** Epoch milliseconds. */
  readonly first_token_at_ms: number | null;
};

const breaker = createCircuitBreaker();

/**
 * Sends the message that is under way in a state, or continues its task, and emits what is answered.
 *
 * @param begun    with the message under way in `remote`
 * @param resumes  whether another process may have sent it already
 * @throws RunStopped with kind `lost`, and the error of a checkpoint that could not be saved
 */
export async function callRemote(
  begun: RunState,
  resumes: boolean,
  agent: RemoteAgent,
  execution: Execution,
): Promise<RemoteCall> {
  const { emit, model, ports } = execution;
  const { clock } = ports;
  const modelFields = { model: model.id, model_provider: model.provider };
  if (!begun.remote?.arrived) emit({ event: "ModelRequestStarted", ...modelFields });
  const service = agent.remote.card;
  for (let failures = 1; ; failures += 1) {
    const blockedMs = breaker.blockedMs(service, clock.now());
    if (blockedMs > 0) return broken(begun, circuitOpen(agent, blockedMs));
    const call = await callOnce(begun, resumes, agent, execution);
    if (call.end.ended !== "broken") {
      breaker.succeeded(service);
      return call;
    }
    if (ports.signal.aborted) return call;
    const { fault } = call.end;
    if (isOutage(fault)) breaker.failed(service, clock.now());
    ports.warn?.("a remote agent failed", { agent: agent.id, failures, error: String(fault.thrown) });
    const waitMs = waitBeforeRetry(agent, failures, fault);
    if (waitMs === undefined) return call;
    await clock.sleep(waitMs, ports.signal).catch(() => undefined);
  }
}

async function callOnce(
  begun: RunState,
  resumes: boolean,
  agent: RemoteAgent,
  execution: Execution,
): Promise<RemoteCall> {
  const { emit, ports } = execution;
  const { clock } = ports;
  let state = begun;
  let progress: RemoteProgress | undefined;
  let publishedAtMs = 0;
  let first_token_at_ms: number | null = null;
  let unsaved: unknown;
  const save = async () => {
    try {
      await ports.saveCheckpoint?.(state);
    } catch (error) {
      unsaved = error;
      throw error;
    }
  };
  const change = (changes: Partial<RemoteTask>, content = state.content) => {
    if (!state.remote) throw new Error("no message is under way");
    state = { ...state, content, remote: { ...state.remote, ...changes } };
  };
  /** A text that was replaced is published when it is whole. */
  const publish = (seen: RemoteAnswer) => {
    publishedAtMs = clock.now();
    first_token_at_ms ??= seen.text === "" ? null : clock.now();
    if (guardsOutput(execution)) return; // it is emitted as a whole, once the guards have accepted it
    const delta = detached(freshText(seen, state, ports).slice(state.remote?.told ?? 0));
    if (delta === "") return;
    change({ told: (state.remote?.told ?? 0) + delta.length }, state.content + delta);
    emit(contentEvent(delta));
  };
  const limitMs =
    (begun.remote?.sent_at_ms ?? clock.now()) + agent.remote.timeout_seconds * 1000 - clock.now();
  const timeout = AbortSignal.timeout(Math.max(0, limitMs));
  const signal = AbortSignal.any([ports.signal, timeout]);
  try {
    const connection = await connectRemote(agent, ports, signal);
    const task = state.remote;
    if (!task) throw new Error("no message is under way");
    if (resumes && !task.arrived) {
      const found = await findSent(connection.client, task, agent, signal);
      if (found === "unknown") return { end: { ended: "answered" }, state, asks: "again", first_token_at_ms };
      if (found !== "never") change({ task_id: found, arrived: true });
    }
    const from =
      state.remote?.arrived && state.remote.task_id !== undefined
        ? { task_id: state.remote.task_id }
        : { send: await remoteMessage(task, state, execution) };
    if ("send" in from) await save();
    const answer = await followRemote(from, {
      connection,
      clock,
      signal,
      shouldYield: () => ports.shouldYield?.(false) === true,
      onProgress: async (seen) => {
        progress = seen;
        const { task_id, context_id } = seen;
        if (!state.remote?.arrived && task_id !== undefined) {
          change({ arrived: true, task_id, ...(context_id !== undefined && { context_id }) });
          await save();
        }
        if (seen.chars <= SMALL_CHARS || clock.now() - publishedAtMs >= PUBLISH_EVERY_MS)
          publish(seen.whole());
      },
    });
    publish(answer);
    return { end: endOf(answer, agent, execution), state, answer, first_token_at_ms };
  } catch (thrown) {
    if (unsaved !== undefined) throw unsaved;
    if (thrown instanceof RunStopped && thrown.kind === "lost") throw thrown;
    if (timeout.aborted && !ports.signal.aborted) await cancelRemote(state, agent, execution);
    const fault = timeout.aborted ? tooLong(agent, thrown) : remoteFault(thrown, agent.name);
    return {
      end: { ended: "broken", fault, sawFiles: false, wasMarked: false },
      state,
      ...(progress && { answer: progress.whole() }),
      first_token_at_ms,
    };
  }
}

const contentEvent = (content: string) =>
  ({
    event: "RunContent",
    content,
    content_type: "str",
    workflow_agent: false,
    reasoning_content: "",
  }) as const;

/** Up to here every event of an answer is passed on at once; of a longer one its text is put together less often. */
const SMALL_CHARS = 16_384;
const PUBLISH_EVERY_MS = 100;

/** A copy: a part of a text keeps the whole of it in memory, and each event would keep one of its own. */
const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

function endOf(answer: RemoteAnswer, { name }: RemoteAgent, { ports }: Execution): RemoteCall["end"] {
  const because = answer.said === "" ? "." : `: ${withoutSecrets(answer.said, ports)}`;
  const failed = (text: string): RemoteCall["end"] => ({
    ended: "broken",
    fault: { cause: "model", text, thrown: undefined, error_type: "remote_task" },
    sawFiles: false,
    wasMarked: false,
  });
  switch (answer.state) {
    case TaskState.TASK_STATE_COMPLETED:
    case TaskState.TASK_STATE_INPUT_REQUIRED:
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return { ended: "answered" };
    case TaskState.TASK_STATE_FAILED:
      return failed(`The task of the remote agent ${name} failed${because}`);
    case TaskState.TASK_STATE_REJECTED:
      return failed(`The remote agent ${name} rejected the task${because}`);
    case TaskState.TASK_STATE_CANCELED:
      return failed(`The task of the remote agent ${name} was cancelled there${because}`);
    default:
      return { ended: "yielded" };
  }
}

/** What a service that is down looks like. What it says about a task or a request is no outage. */
const isOutage = ({ cause, thrown }: RunFault): boolean =>
  thrown !== undefined && (cause === "model" || cause === "throttled" || cause === "timeout");

const broken = (state: RunState, fault: RunFault): RemoteCall => ({
  end: { ended: "broken", fault, sawFiles: false, wasMarked: false },
  state,
  first_token_at_ms: null,
});

function circuitOpen({ name }: RemoteAgent, blockedMs: number): RunFault {
  const seconds = Math.ceil(blockedMs / 1000);
  const text = `The remote agent ${name} has failed several times in a row and is not asked for ${seconds} s.`;
  const thrown = new RemoteFault({ cause: "throttled" }, text);
  return { cause: "throttled", text, thrown, again: { after_seconds: seconds } };
}

function tooLong({ name, remote }: RemoteAgent, thrown: unknown): RunFault {
  const text = `The remote agent ${name} took longer than ${remote.timeout_seconds} s; its task was asked to stop.`;
  return { cause: "timeout", text, thrown };
}

const CANCEL_MS = 5_000;

/** Cancels the task of a run that was stopped: its own process, or a later one, knows it by the state. */
export async function cancelRemote(state: RunState, agent: RemoteAgent, { ports }: Execution): Promise<void> {
  const { remote } = state;
  if (remote?.task_id !== undefined) await cancelRemoteTask(remote.task_id, agent, ports);
}

/** Asks a remote agent to end a task. Where that fails, the log says so: the run here has ended all the same. */
export async function cancelRemoteTask(
  taskId: string,
  agent: RemoteAgent,
  ports: Parameters<typeof connectRemote>[1],
): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  try {
    const { client } = await connectRemote(agent, ports, signal);
    await client.cancelTask({ id: taskId, tenant: "", metadata: undefined }, { signal });
  } catch (error) {
    ports.warn?.("the task of a remote agent was not cancelled", { agent: agent.id, error: String(error) });
  }
}
