import type { ShownPrompt, SpanEnd, SpanStart } from "../engine/ports/tracing.ts";
import type { Span, SpanKind } from "../schemas/traces/span.ts";
import { spanAttributes as names } from "../schemas/traces/span-attributes.ts";
import type { ContentRule } from "./content-rule.ts";
import { knownAttributes } from "./known-attributes.ts";

/** @source OpenTelemetry semantic conventions for generative AI, `gen_ai.operation.name` */
const operations: Readonly<Record<SpanKind, string>> = {
  AGENT: "invoke_agent",
  TEAM: "invoke_agent",
  WORKFLOW: "invoke_workflow",
  LLM: "chat",
  TOOL: "execute_tool",
  RETRIEVER: "retrieval",
  EMBEDDING: "embeddings",
};

type Attributes = Span["attributes"];

/** Attributes of a span's start. */
export function startAttributes({ kind, input, facts = {} }: SpanStart, rule: ContentRule): Attributes {
  const content = (text: string | undefined) => (text === undefined ? undefined : rule.content(text));
  const isWorkflow = kind === "WORKFLOW";
  return knownAttributes({
    [names.kind]: kind,
    [names.operation]: operations[kind],
    [names.input]: content(input),
    [names.run]: facts.run_id,
    [names.conversation]: facts.session_id,
    [names.user]: facts.user_id ?? undefined,
    [names.componentId]: facts.component_id,
    [names.componentVersion]: facts.component_version,
    [isWorkflow ? names.workflowName : names.componentName]: facts.component_name,
    [names.model]: facts.model,
    [names.provider]: facts.provider,
    [names.streams]: facts.streams,
    [names.maxTokens]: facts.max_tokens,
    [names.temperature]: facts.temperature,
    [names.outputType]: facts.output_type,
    [names.server]: facts.server_address,
    [names.dataSource]: facts.data_source,
    [names.topK]: facts.top_k,
    [names.tool]: facts.tool_name,
    [names.toolType]: facts.tool_name === undefined ? undefined : "function",
    [names.toolDescription]: facts.tool_description,
    [names.toolCall]: facts.tool_call_id,
    [names.toolArguments]: content(facts.parameters),
    [names.stepType]: facts.step_type,
    [names.description]: facts.description,
    [names.steps]: facts.steps && [...facts.steps],
    [names.stepTypes]: facts.step_types && [...facts.step_types],
  });
}

/** Attributes of a span's end. */
export function endAttributes(end: SpanEnd, rule: ContentRule): Attributes {
  const { output, error, error_type, usage, run_usage, documents, cache_break, response } = end;
  return knownAttributes({
    [names.output]: output === undefined || error !== undefined ? undefined : rule.content(output),
    [names.errorType]: error === undefined ? undefined : (error_type ?? "_OTHER"),
    [names.inputTokens]: usage?.input_tokens,
    [names.outputTokens]: usage?.output_tokens,
    [names.cacheReadTokens]: usage?.cache_read_tokens || undefined,
    [names.cacheWriteTokens]: usage?.cache_write_tokens || undefined,
    [names.reasoningTokens]: usage?.reasoning_tokens || undefined,
    [names.runInputTokens]: run_usage?.input_tokens,
    [names.runOutputTokens]: run_usage?.output_tokens,
    [names.finishReasons]: end.finish_reason && [end.finish_reason],
    [names.timeToFirstChunk]: end.time_to_first_chunk,
    [names.responseId]: response?.id,
    [names.responseModel]: response?.model,
    [names.cacheBreak]: cache_break,
    [names.documents]: documents,
  });
}

/** Characters of a list, which stays JSON: what does not fit is left out at its end. */
const MAX_CHARS = 100_000;

/** What a model was shown beside its messages, as the conventions write it. */
export function promptAttributes({ instructions, tools }: ShownPrompt, rule: ContentRule): Attributes {
  const texts = instructions.map((content) => ({ type: "text", content }));
  const definitions = tools.map((tool) => ({ type: "function", ...tool }));
  return knownAttributes({
    [names.systemInstructions]: listThatFits(texts, rule),
    [names.toolDefinitions]: listThatFits(definitions, rule),
  });
}

function listThatFits(items: readonly object[], rule: ContentRule): string | undefined {
  const shown: string[] = [];
  let chars = 2;
  for (const item of items) {
    const text = JSON.stringify(item, (_, value) =>
      typeof value === "string" ? rule.content(value) : value,
    );
    chars += text.length + 1;
    if (chars > MAX_CHARS) break;
    shown.push(text);
  }
  return shown.length > 0 ? `[${shown.join(",")}]` : undefined;
}
