import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { untilStopped } from "../../runtime/promises.ts";
import { type Answer, collectAnswer } from "../model/collect-answer.ts";
import type { ModelView } from "../model/models.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import type { Tool } from "../tool/tool.ts";
import { buildPrompt, promptTools } from "./build-prompt.ts";
import { modelSpan } from "./call-within-budget.ts";
import { withModel, withModelAt } from "./fall-back.ts";
import { callBound, holdBudget, outputLimit } from "./hold-budget.ts";

export type ModelQuery = {
  /** Unique for the call within the run. */
  readonly name: string;
  readonly task: string;
  readonly material: string;
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
  if (helper === undefined || helper === own.spec) return ask(query, state, own);
  const named = { ...query, name: `${query.name}/helper` };
  return (await ask(named, state, withModel(helper, execution))) ?? ask(query, state, own);
}

async function ask(
  query: ModelQuery,
  state: RunState,
  execution: Execution,
): Promise<ExtraAnswer | undefined> {
  const { agent, model, ports, spec } = execution;
  const messages = [
    newMessage({ role: "system", content: query.task }, ports),
    newMessage({ role: "user", content: query.material }, ports),
  ];
  const { tools = [] } = query;
  const bound = await callBound(messages, { ...execution, tools });
  const held = await holdBudget(state, bound, query.name, execution);
  if (!held.held) return undefined;
  const span = ports.span?.child(modelSpan(`ask:${query.name}`, messages, execution));
  try {
    const answer = await collect(buildPrompt(messages, model), tools, execution);
    span?.end({ output: answer.text, usage: answer.usage });
    await held.settle(answer.usage);
    return { ...answer, model, ...(spec !== undefined && spec !== agent.model && { spec }) };
  } catch (error) {
    if (!ports.signal.aborted) span?.end({ error: String(error) });
    await held.settle(bound);
    ports.signal.throwIfAborted();
    return undefined;
  }
}

async function collect(
  prompt: LanguageModelV4Prompt,
  tools: readonly Tool[],
  execution: Execution,
): Promise<Answer> {
  const { models, signal } = execution.ports;
  const resolved = await untilStopped(models.resolve(execution.spec), signal);
  const maxOutputTokens = outputLimit(execution);
  const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens };
  const offered = tools.length > 0 ? { tools: promptTools(tools) } : {};
  return collectAnswer(resolved, { prompt, ...offered, ...limit }, signal);
}
