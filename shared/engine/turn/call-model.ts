import { type LanguageModelV4CallOptions, NoContentGeneratedError } from "@ai-sdk/provider";
import { readUntilStopped, untilStopped } from "../../runtime/promises.ts";
import type { FinishReason } from "../../schemas/runs/finish-reason.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message, ProviderData } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";
import type { CacheSupport } from "../model/cache-support.ts";
import { countedUsage } from "../model/count-tokens.ts";
import { modelFault, type RunFault } from "../model/model-fault.ts";
import type { AdmittedCall, CallResult } from "../model/model-gate.ts";
import type { ResolvedModel } from "../model/models.ts";
import { providerDataOf } from "../model/provider-data.ts";
import {
  type AnsweredAs,
  addStreamPart,
  GO_ON,
  newStreamedAnswer,
  type RequestedCall,
  type StreamedAnswer,
} from "../model/streamed-answer.ts";
import type { Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { withFilesAsText } from "../run/files-as-text.ts";
import { secondsBetween } from "../run/metrics.ts";
import { ANSWER_NOW, endOfPrompt, goesOn } from "../run/next-step.ts";
import { outputThatFits } from "../run/prompt-size.ts";
import { holdsToolFiles, saveModelFiles, shownToModel, withMedia } from "../run/run-media.ts";
import { newMessage, type RunState, type Withheld } from "../run/run-state.ts";
import { shownMessages } from "../run/shown-messages.ts";
import { answerForm } from "./answer-form.ts";
import { buildPrompt, promptTools, toolChoiceOf } from "./build-prompt.ts";
import { outputLimit } from "./hold-budget.ts";
import {
  cacheOf,
  lifeOf,
  markedTools,
  marksFor,
  namesTheMark,
  noteRefusal,
  REFUSED_FOR_MS,
  withCacheKey,
} from "./mark-prompt.ts";
import { closedFault, failureOf, passGate } from "./pass-gate.ts";
import { type ComparedPrompt, comparePrompts } from "./prompt-digests.ts";

/** The result of one model call. */
export type ModelTurn = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage;
  /** Why the model did not end the answer itself. */
  readonly finish_reason?: FinishReason;
  /** Files that the model made, saved. */
  readonly media?: OutputMedia;
  /** What the provider needs back when it is shown this answer again. */
  readonly provider_data?: ProviderData;
  /** The prompt beside that of the call before, where the service caches. */
  readonly prompt?: ComparedPrompt;
  /** Set where a guard has refused what was said; `text` is the reason then. */
  readonly withheld?: Withheld;
  /** How the service names the answer. */
  readonly response?: AnsweredAs;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
  readonly ended_at_ms: number;
};

export type ModelCall =
  | { readonly ended: "answered"; readonly turn: ModelTurn }
  /** `turn` holds what arrived before the call broke off. `fault` means nothing when the signal was aborted. */
  | {
      readonly ended: "broken";
      readonly turn: ModelTurn;
      readonly fault: RunFault;
      /** Whether the prompt held files from results of tools. */
      readonly sawFiles: boolean;
      /** Whether the service was asked to cache the prompt. */
      readonly wasMarked: boolean;
    }
  /** Not made: all workers know that the model is not to be called now. */
  | { readonly ended: "closed"; readonly turn: ModelTurn; readonly fault: RunFault };

/**
 * Calls the model and emits its answer as events while it streams. A call that failed before its first token is
 * retried as often as the agent allows; the events show one request.
 *
 * @decided  A call that is refused while its prompt holds files of tools is retried once with the names of the files
 *           instead: a model that cannot read pictures loses the picture, not the run.
 */
export async function callModel(state: RunState, execution: Execution): Promise<ModelCall> {
  const { agent, emit, ports, model } = execution;
  const { clock, signal } = ports;
  const startedAtMs = clock.now();
  const modelFields = { model: model.id, model_provider: model.provider };
  const shown = shownMessages(state, execution.request);
  let showsFiles = true;
  let isMarked = true;
  let isShown = false;
  for (let failures = 1; ; failures += 1) {
    const gate = await passGate(`${state.calls}/${failures}`, shown, execution);
    if (!gate.admitted) {
      const turn = turnFrom(newStreamedAnswer(), startedAtMs, undefined, execution);
      return { ended: "closed", turn, fault: closedFault(gate, clock.now()) };
    }
    if (!isShown) emit({ event: "ModelRequestStarted", ...modelFields });
    isShown = true;
    const call = await callOnce(state, { showsFiles, isMarked, gate }, startedAtMs, execution);
    await gate.ended(resultOf(call, signal));
    if (call.ended === "answered") {
      emit({ event: "ModelRequestCompleted", ...modelFields, ...requestMetrics(call.turn) });
      return call;
    }
    const mayRetry = call.turn.first_token_at_ms === null && !signal.aborted;
    if (mayRetry && call.wasMarked && namesTheMark(call.fault)) {
      isMarked = false;
      failures -= 1; // not counted either
      await ports.modelGate?.noteRefusedMarks(execution.spec, clock.now() + REFUSED_FOR_MS);
      ports.warn?.("retrying a model call without asking for its cache", { model: model.id });
      continue;
    }
    if (mayRetry && call.sawFiles && isRefused(call.fault)) {
      showsFiles = false;
      failures -= 1; // not counted: this refusal is not one that waiting could help against
      ports.warn?.("retrying a model call without the files of tools", { model: model.id });
      continue;
    }
    const blocked = mayRetry && ports.modelGate && blockedFor(call.fault, clock.now());
    if (blocked) return { ended: "closed", turn: call.turn, fault: blocked };
    const waitMs = mayRetry ? waitBeforeRetry(agent, failures, call.fault) : undefined;
    if (waitMs === undefined) return call;
    ports.warn?.("retrying a model call", { model: model.id, failures, wait_ms: waitMs });
    // An abort that ends the wait ends the next call too, and that call reports it.
    await clock.sleep(waitMs, signal).catch(() => undefined);
  }
}

type OneCall = Extract<ModelCall, { ended: "answered" | "broken" }>;

/** What a call says about its model to all workers. */
const resultOf = (call: OneCall, signal: AbortSignal): CallResult | undefined =>
  call.ended === "answered"
    ? { was: "answered", tokens: call.turn.usage.input_tokens + call.turn.usage.output_tokens }
    : failureOf(call.fault, call.turn.first_token_at_ms !== null, signal);

const isRefused = ({ cause, again }: RunFault): boolean =>
  again === undefined && (cause === "input" || cause === "model");

type HowToAsk = {
  readonly showsFiles: boolean;
  readonly isMarked: boolean;
  readonly gate: Pick<AdmittedCall, "begun" | "marks_refused_until">;
};

async function callOnce(
  state: RunState,
  { showsFiles, isMarked, gate }: HowToAsk,
  startedAtMs: number,
  execution: Execution,
): Promise<OneCall> {
  const { emit, model, ports } = execution;
  const { clock, signal } = ports;
  const streamed = newStreamedAnswer();
  const sink = {
    emit,
    now: clock.now,
    warn: (warnings: readonly unknown[]) =>
      ports.warn?.("warnings of the model's provider", { model: model.id, warnings }),
  };
  const turn = () => turnFrom(streamed, startedAtMs, prompt, execution);
  const messages = shownMessages(state, execution.request);
  let sawFiles = false;
  let wasMarked = false;
  let prompt: ComparedPrompt | undefined;
  let asked: CallOptions | undefined;
  const count = async () => {
    const answer = streamed.reasoning + streamed.text;
    if (asked)
      streamed.usage = await countedUsage(streamed.usage, { ...asked, answer, calls: streamed.calls }, model);
  };
  try {
    const resolved = await untilStopped(ports.models.resolve(execution.spec), signal);
    const shown = messages.map((message) => shownToModel(message, showsFiles && resolved.takesToolFiles));
    sawFiles = shown.some(holdsToolFiles);
    noteRefusal(resolved, isMarked ? gate.marks_refused_until : clock.now() + REFUSED_FOR_MS);
    const cache = cacheOf(execution, resolved);
    wasMarked = cache !== undefined;
    const made = await callOptions(state, shown, resolved, cache, execution);
    asked = made.options;
    prompt = made.prompt;
    const { stream } = await untilStopped(resolved.model.doStream(asked), signal);
    for await (const part of readUntilStopped(stream, signal)) {
      addStreamPart(streamed, part, sink);
      if (streamed.firstTokenAtMs !== null) gate.begun();
    }
    if (!streamed.finished) {
      throw new NoContentGeneratedError({ message: "the stream ended before the answer did" });
    }
    await count();
    const answered = turn();
    if (streamed.files.length === 0) return { ended: "answered", turn: answered };
    const media = await untilStopped(saveModelFiles(streamed.files, messages, execution), signal);
    return { ended: "answered", turn: { ...answered, media } };
  } catch (thrown) {
    if (streamed.firstTokenAtMs !== null) await count();
    return { ended: "broken", turn: turn(), fault: modelFault(thrown, clock.now()), sawFiles, wasMarked };
  }
}

type CallOptions = LanguageModelV4CallOptions & { readonly abortSignal: AbortSignal };

/**
 * The options of the next call, and the prompt beside that of the call before where the service caches.
 *
 * @param messages  those of the state that the model is shown
 */
export async function callOptions(
  state: RunState,
  messages: readonly Message[],
  resolved: ResolvedModel,
  cache: CacheSupport | undefined,
  execution: Execution,
): Promise<{ readonly options: CallOptions; readonly prompt?: ComparedPrompt }> {
  const { agent, tools, answer, model: shown, ports } = execution;
  const { signal, loadObject } = ports;
  const { cache_to, prompt: before } = state;
  const maxOutputTokens = await outputThatFits(outputLimit(execution), state, execution);
  const { forbidsTools } = resolved;
  const providerOptions = cache
    ? withCacheKey(resolved.providerOptions, cache, execution)
    : resolved.providerOptions;
  const marks = cache && marksFor(cache, messages, cache_to);
  const chosen = toolChoiceOf(agent, state.messages);
  const mustBeAsked = chosen?.type === "none" && !forbidsTools && tools.length > 0;
  const toolChoice = mustBeAsked ? undefined : chosen;
  const asks = [...(goesOn(messages) ? [GO_ON] : []), ...(mustBeAsked ? [ANSWER_NOW] : [])];
  const asked = asks.map((content) => newMessage({ role: "user", content }, ports));
  const loaded = await withMedia([...messages, ...asked], loadObject);
  const read = await withFilesAsText(loaded, shown, ports.readFile, signal);
  const form = answerForm(buildPrompt(read, shown, marks), answer, resolved, messages);
  const offered = promptTools(tools);
  const options = {
    ...form,
    ...(tools.length > 0 && {
      tools: markedTools(offered, messages, marks),
      ...(toolChoice && { toolChoice }),
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(agent.temperature !== undefined && { temperature: agent.temperature }),
    ...(providerOptions && { providerOptions }),
    includeRawChunks: true,
    abortSignal: signal,
  };
  if (!cache) return { options };
  const end = messages.findLastIndex(({ id }) => id === endOfPrompt(messages)?.id);
  const parts = {
    model: `${shown.provider}/${shown.id}`,
    tools: offered,
    tool_choice: toolChoice,
    system: [
      buildPrompt(
        read.filter(({ role }) => role === "system"),
        shown,
      ),
      form.responseFormat,
    ],
    history: read
      .slice(0, end + 1)
      .flatMap((one) => (one.role === "system" ? [] : { id: one.id, shown: buildPrompt([one], shown) })),
  };
  return { options, prompt: comparePrompts(before, parts, ports.clock.now(), lifeOf(cache)) };
}

function turnFrom(
  streamed: StreamedAnswer,
  started_at_ms: number,
  compared: ComparedPrompt | undefined,
  { model, ports }: Execution,
): ModelTurn {
  const { text, reasoning, calls, usage, cut, answeredAs: response } = streamed;
  const provider_data = providerDataOf(streamed, model);
  const prompt = compared && confirmed(compared, usage);
  return {
    text,
    reasoning,
    calls,
    usage,
    ...(cut && { finish_reason: cut }),
    ...(provider_data && { provider_data }),
    ...(prompt && { prompt }),
    ...(response && { response }),
    started_at_ms,
    first_token_at_ms: streamed.firstTokenAtMs,
    ended_at_ms: ports.clock.now(),
  };
}

/** What was read from the cache had not expired. */
const confirmed = ({ digests, broken }: ComparedPrompt, { cache_read_tokens }: Usage): ComparedPrompt =>
  broken && !(broken === "expired" && cache_read_tokens > 0) ? { digests, broken } : { digests };

/** What the end of a call reports about it. */
export function requestMetrics({ usage, started_at_ms, first_token_at_ms, finish_reason }: ModelTurn) {
  return {
    ...usage,
    total_tokens: usage.input_tokens + usage.output_tokens,
    ...(finish_reason && { finish_reason }),
    ...(first_token_at_ms !== null && {
      time_to_first_token: secondsBetween(started_at_ms, first_token_at_ms),
    }),
  };
}

/** A waiting run occupies its process. If a service asks for longer, the run fails; a queued one is retried later. */
const MAX_WAIT_SECONDS = 60;

/** A call that is throttled for longer than a process waits; it is no try that failed. */
function blockedFor({ cause, again }: RunFault, nowMs: number): RunFault | undefined {
  const { after_seconds = 0 } = again ?? {};
  if (cause !== "throttled" || after_seconds <= MAX_WAIT_SECONDS) return undefined;
  return closedFault({ because: "rate_limit", until_ms: nowMs + after_seconds * 1000 }, nowMs);
}

type Settings = Pick<Agent, "retries" | "delay_between_retries" | "exponential_backoff">;

/**
 * How long to wait before a failed model call is retried.
 *
 * @param failures  how often this call has failed, counted from 1
 * @returns milliseconds; undefined when it is not retried
 * @decided  Only failures that may be temporary are retried, and never earlier than the service asks.
 */
export function waitBeforeRetry(
  settings: Settings,
  failures: number,
  { again }: RunFault,
): number | undefined {
  if (!again || failures > settings.retries) return undefined;
  const factor = settings.exponential_backoff ? 2 ** (failures - 1) : 1;
  const configured = Math.min(settings.delay_between_retries * factor, MAX_WAIT_SECONDS);
  const seconds = Math.max(configured, again.after_seconds ?? 0);
  return seconds > MAX_WAIT_SECONDS ? undefined : seconds * 1000;
}
