import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import * as v from "valibot";
import { untilStopped } from "../../runtime/promises.ts";
import type { Message } from "../../schemas/runs/run.ts";
import { parsedJson } from "../../schemas/values/json-values.ts";
import { type Answer, collectAnswer } from "../model/collect-answer.ts";
import { modelFault } from "../model/model-fault.ts";
import type { ModelView, ResolvedModel } from "../model/models.ts";
import { addUsage, noUsage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { shownToModel } from "../run/run-media.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { shownMessages } from "../run/shown-messages.ts";
import type { Tool } from "../tool/tool.ts";
import { buildPrompt, promptTools } from "./build-prompt.ts";
import { callOptions } from "./call-model.ts";
import { modelSpan } from "./call-within-budget.ts";
import { withModel, withModelAt } from "./fall-back.ts";
import { callBound, holdBudget, outputLimit } from "./hold-budget.ts";
import { cacheOf, marksFor, withCacheKey } from "./mark-prompt.ts";
import { failureOf, passGate } from "./pass-gate.ts";

export type ModelQuery = {
  /** Unique for the call within the run. */
  readonly name: string;
  readonly task: string;
  readonly material: string;
  /** What of the material the run's own conversation does not show. */
  readonly beside?: string;
  /** What was said in the run, where several calls are shown it: a helper's service caches it. It is the material, but for `beside`. */
  readonly said?: string | undefined;
  /** Specification of the model for this kind of call; it comes before every other. */
  readonly model?: string | undefined;
  /** Tools that it may call instead of answering with text; they are not executed here. */
  readonly tools?: readonly Tool[];
};

/** The answer to an extra call, and who gave it. */
export type ExtraAnswer = Answer & {
  readonly model: ModelView;
  /** Its specification, where it is not the agent's own. */
  readonly spec?: string;
};

/**
 * Makes an extra call: it emits no events and adds nothing to the conversation. The helper is asked, where there is one, and the
 * model of the run where that fails.
 *
 * @returns undefined when a budget has no room or the models fail: an extra call must not fail the run
 * @throws  the signal's reason
 */
export async function queryModel(
  query: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<ExtraAnswer | undefined> {
  const { agent, ports } = execution;
  const helper = query.model ?? agent.helper_model ?? ports.models.helper;
  const own = withModelAt(state, execution);
  if (helper === undefined || helper === own.spec) return queryOwn(query, state, own);
  const named = { ...query, name: `${query.name}/helper` };
  const by = withModel(helper, execution);
  const { said } = query;
  const answer = said === undefined ? queryAlone(named, state, by) : queryOver(said, named, state, by);
  return (await answer) ?? queryOwn(query, state, own);
}

/**
 * Asks the model of the run. Where its service has cached the conversation, the task stands behind it; an answer of another form
 * than asked for is asked for once more, by a prompt of the task and its material alone.
 */
async function queryOwn(
  query: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<ExtraAnswer | undefined> {
  if (!isCached(state, execution)) return queryAlone(query, state, execution);
  const first = await queryBehind(query, state, execution);
  const answer = first && answerIn(first, query);
  if (first && answer) return { ...first, ...answer };
  const usage = first?.usage ?? noUsage;
  const again = { ...query, name: `${query.name}/again` };
  const second = await queryAlone(again, { ...state, usage: addUsage(state.usage, usage) }, execution);
  if (second) return { ...second, usage: addUsage(usage, second.usage) };
  return first && { ...first, text: "", calls: [] };
}

/** Below this many tokens OpenAI caches nothing. */
const LEAST_CACHED = 1_024;

/** Whether reading the conversation from the cache is to be expected: the run has answered, and was read or written there. */
function isCached({ messages, prompt }: RunState, { answer }: Execution): boolean {
  const last = messages.at(-1);
  if (!prompt || answer || last?.role !== "assistant" || last.tool_calls) return false;
  const { cache_read_tokens = 0, cache_write_tokens = 0, input_tokens = 0 } = last.metrics ?? {};
  if (Number(cache_read_tokens) + Number(cache_write_tokens) > 0) return true;
  return prompt.model.startsWith("OpenAI/") && Number(input_tokens) > LEAST_CACHED;
}

function queryAlone(
  query: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<ExtraAnswer | undefined> {
  const { tools = [] } = query;
  const messages = [
    newMessage({ role: "system", content: query.task }, execution.ports),
    newMessage({ role: "user", content: query.material }, execution.ports),
  ];
  return asked(query.name, messages, state, { ...execution, tools }, (resolved) =>
    collect(buildPrompt(messages, execution.model), tools, resolved, execution),
  );
}

const HELP =
  "You help an agent with what it does after its answer: you are shown what was said in its run, then what to do.";

/** A helper's call whose prompt begins with what was said, so that the next one reads that from the cache of its service. */
function queryOver(
  said: string,
  { name, task, beside }: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<ExtraAnswer | undefined> {
  const { model, ports } = execution;
  const opening = [
    newMessage({ role: "system", content: HELP }, ports),
    newMessage({ role: "user", content: said }, ports),
  ];
  const content = [task, beside].filter((part) => part !== undefined).join("\n\n");
  const messages = [...opening, newMessage({ role: "user", content }, ports)];
  return asked(name, messages, state, { ...execution, tools: [] }, (resolved) => {
    const cache = cacheOf(execution, resolved);
    if (!cache) return collect(buildPrompt(messages, model), [], resolved, execution);
    const prompt = buildPrompt(messages, model, marksFor(cache, opening, undefined));
    const providerOptions = withCacheKey(resolved.providerOptions, cache, execution);
    return collect(prompt, [], { ...resolved, ...(providerOptions && { providerOptions }) }, execution);
  });
}

function queryBehind(
  query: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<ExtraAnswer | undefined> {
  const task = newMessage({ role: "user", content: taskBehind(query) }, execution.ports);
  const messages = [...shownMessages(state, execution.request), task];
  const ask = async (resolved: ResolvedModel) => {
    const shown = messages.map((message) => shownToModel(message, resolved.takesToolFiles));
    // Marked at the end of the conversation, so that the next extra call reads its last answer too.
    const cache_to = state.messages.at(-1)?.id;
    const { options } = await callOptions(
      { ...state, ...(cache_to !== undefined && { cache_to }) },
      shown,
      resolved,
      cacheOf(execution, resolved),
      execution,
    );
    const { providerOptions, abortSignal, ...rest } = options;
    return collectAnswer({ ...resolved, ...(providerOptions && { providerOptions }) }, rest, abortSignal);
  };
  return asked(query.name, messages, state, execution, ask, execution.agent.temperature);
}

/** The tools of the conversation stay as they are, for they are cached too; those of the task are described in its text. */
function taskBehind({ task, beside, tools = [] }: ModelQuery): string {
  const form =
    tools.length === 0
      ? 'Answer with JSON alone, and call no tool: {"text": "…"}'
      : `Answer with JSON alone. Call no tool; name what you would call: {"calls": [{"name": "…", "arguments": {…}}]}, an empty list where nothing is worth it. What can be called:\n${JSON.stringify(promptTools(tools))}`;
  return [task, beside, form].filter((part) => part !== undefined).join("\n\n");
}

const TextAnswer = v.object({ text: v.string() });
const CallsAnswer = v.object({
  calls: v.array(v.object({ name: v.string(), arguments: v.record(v.string(), v.unknown()) })),
});

/** The answer that a text of JSON stands for; undefined where it has another form, or tools were called. */
function answerIn({ text, calls, usage }: Answer, { tools = [] }: ModelQuery): Answer | undefined {
  if (calls.length > 0) return undefined;
  const value = parsedJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  if (tools.length === 0) {
    const said = v.safeParse(TextAnswer, value);
    return said.success ? { text: said.output.text.trim(), calls: [], usage } : undefined;
  }
  const named = v.safeParse(CallsAnswer, value);
  if (!named.success) return undefined;
  const requested = named.output.calls.map((call, at) => ({
    id: `call-${at}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return { text: "", calls: requested, usage };
}

/** Makes a call within the budgets and within a span. */
async function asked(
  name: string,
  messages: readonly Message[],
  state: RunState,
  execution: Execution,
  call: (resolved: ResolvedModel) => Promise<Answer>,
  temperature?: number,
): Promise<ExtraAnswer | undefined> {
  const { agent, model, ports, spec } = execution;
  const { clock, models, signal, span: parent } = ports;
  const gate = await passGate(name, messages, execution);
  if (!gate.admitted) return undefined;
  const bound = await callBound(messages, execution);
  const held = await holdBudget(state, bound, name, execution);
  if (!held.held) {
    await gate.ended(undefined);
    return undefined;
  }
  const span = parent?.child(modelSpan(`ask:${name}`, messages, execution, temperature));
  try {
    const answer = await call(await untilStopped(models.resolve(spec), signal));
    span?.end({ output: answer.text, usage: answer.usage });
    await held.settle(answer.usage);
    await gate.ended({ was: "answered", tokens: answer.usage.input_tokens + answer.usage.output_tokens });
    return { ...answer, model, ...(spec !== undefined && spec !== agent.model && { spec }) };
  } catch (error) {
    const fault = modelFault(error, clock.now());
    if (!signal.aborted) span?.end({ error: String(error), error_type: fault.cause });
    await held.settle(bound);
    await gate.ended(failureOf(fault, false, signal));
    signal.throwIfAborted();
    return undefined;
  }
}

function collect(
  prompt: LanguageModelV4Prompt,
  tools: readonly Tool[],
  resolved: ResolvedModel,
  execution: Execution,
): Promise<Answer> {
  const maxOutputTokens = outputLimit(execution);
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const offered = tools.length > 0 ? { tools: promptTools(tools) } : {};
  return collectAnswer(resolved, { prompt, ...offered, ...limit }, execution.ports.signal);
}
