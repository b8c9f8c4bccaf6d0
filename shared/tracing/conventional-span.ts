import { spanAttributes as names } from "../schemas/traces/span-attributes.ts";
import { isObject, parsedJson } from "../schemas/values/json-values.ts";
import { knownAttributes } from "./known-attributes.ts";
import type { RecordedSpan } from "./record-spans.ts";

/**
 * The version of OpenTelemetry's conventions for generative AI that exported spans follow. The instrumentation scope names it; a
 * change of it is in the changelog.
 */
export const GENAI_SEMCONV = "0.1.0";

/** A span as it is exported: the names, the kind and the attributes that the conventions have for what it records. */
export type ConventionalSpan = {
  readonly name: string;
  /** A call of another system is `client`. */
  readonly kind: "internal" | "client";
  readonly attributes: RecordedSpan["attributes"];
};

type Attributes = RecordedSpan["attributes"];

/**
 * A recorded span by the conventions. Stored spans keep the names that AgentOS's clients read; steps of workflows, for which the
 * conventions have none, are exported under them.
 *
 * @param showsContent  whether what was said may leave with it
 * @source docs/interface/traces.md 3.2
 */
export function conventionalSpan(span: RecordedSpan, showsContent: boolean): ConventionalSpan {
  const { attributes, exported = {} } = span;
  const kind = String(attributes[names.kind] ?? "");
  const isStep = attributes[names.stepType] !== undefined;
  return {
    name: isStep ? span.name : (nameOf(kind, attributes) ?? span.name),
    kind:
      kind === "LLM" || kind === "EMBEDDING" || attributes[names.server] !== undefined
        ? "client"
        : "internal",
    attributes: knownAttributes({
      ...withoutRenamed(attributes),
      [names.kind]: openInferenceKinds[kind] ?? kind,
      [names.operation]: isStep ? undefined : attributes[names.operation],
      [names.session]: attributes[names.conversation],
      [names.componentName]: attributes[names.componentName] ?? attributes[names.workflowName],
      [OURS.componentId]: attributes[names.componentId],
      [names.provider]: providerOf(attributes[names.provider]),
      [names.inputTokens]: attributes[names.inputTokens] ?? attributes[names.runInputTokens],
      [names.outputTokens]: attributes[names.outputTokens] ?? attributes[names.runOutputTokens],
      [OURS.cacheWriteTokens]: attributes[names.cacheWriteTokens],
      [names.cacheWriteTokens]: attributes[names.cacheWriteTokens],
      ...(showsContent && { ...contentOf(kind, attributes), ...exported }),
    }),
  };
}

/** Names that only exported spans have. */
const OURS = {
  componentId: "agent_platform.component.id",
  /** Phoenix and Langfuse still read the name before it, which is exported too. */
  cacheWriteTokens: "gen_ai.usage.cache_write.input_tokens",
} as const;

/** What an export leaves out, or has under another name. */
const renamed: ReadonlySet<string> = new Set([
  names.componentId,
  names.runInputTokens,
  names.runOutputTokens,
  names.input,
  names.output,
  names.toolArguments,
]);

const withoutRenamed = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !renamed.has(name)));

function nameOf(kind: string, attributes: Attributes): string | undefined {
  const subject = subjectOf[kind]?.map((name) => attributes[name]).find((one) => one !== undefined);
  const operation = attributes[names.operation];
  return subject === undefined || operation === undefined ? undefined : `${operation} ${subject}`;
}

/** What an operation is about, which its name ends with. */
const subjectOf: Readonly<Record<string, readonly string[]>> = {
  AGENT: [names.componentName],
  TEAM: [names.componentName],
  WORKFLOW: [names.workflowName],
  LLM: [names.model],
  TOOL: [names.tool],
  RETRIEVER: [names.dataSource],
  EMBEDDING: [names.model],
};

/** OpenInference has no teams and no workflows. */
const openInferenceKinds: Readonly<Record<string, string>> = { TEAM: "AGENT", WORKFLOW: "CHAIN" };

/** The conventions' own words for services; another one keeps the name that it has here, in lower case. */
const providers: Readonly<Record<string, string>> = {
  OpenAI: "openai",
  Anthropic: "anthropic",
  "Amazon Bedrock": "aws.bedrock",
  "amazon-bedrock": "aws.bedrock",
};
const providerOf = (label: Attributes[string] | undefined): string | undefined =>
  typeof label === "string" ? (providers[label] ?? label.toLowerCase().replaceAll(/\s+/g, "_")) : undefined;

/** What was said, under the names of OpenInference and of the conventions. Texts are cut and redacted already. */
function contentOf(kind: string, attributes: Attributes): Partial<Attributes> {
  const { [names.input]: input, [names.output]: output, [names.toolArguments]: args } = attributes;
  const plain = {
    ...(input !== undefined && { [names.input]: input }),
    ...(output !== undefined && { [names.output]: output }),
  };
  if (kind === "TOOL")
    return {
      ...plain,
      ...(args !== undefined && { [names.toolArguments]: args }),
      ...(output !== undefined && { [names.toolResult]: output }),
    };
  if (kind === "RETRIEVER") return plain;
  const asked = typeof input === "string" && JSON.stringify(messagesIn(input));
  const said = typeof output === "string" && JSON.stringify([answerIn(output)]);
  return {
    ...plain,
    ...(asked && { [names.inputMessages]: asked }),
    ...(said && { [names.outputMessages]: said }),
  };
}

type Part = Readonly<Record<string, unknown>>;
type Message = { readonly role: string; readonly parts: readonly Part[] };
const textPart = (content: string): Part => ({ type: "text", content });

/** Messages of a model's call, without its instructions; any other text, also one that was cut, is the user's. */
function messagesIn(input: string): readonly Message[] {
  const whole: unknown = parsedJson(input);
  const isConversation = Array.isArray(whole) && whole.length > 0 && whole.every(isMessage);
  return isConversation ? whole.flatMap(messageIn) : [{ role: "user", parts: [textPart(input)] }];
}

type SaidMessage = Readonly<Record<string, unknown>> & { readonly role: string };

const isMessage = (one: unknown): one is SaidMessage => isObject(one) && typeof one.role === "string";

function messageIn(one: SaidMessage): Message[] {
  if (one.role === "system") return [];
  const texts = [one.content, one.context].filter((text) => typeof text === "string" && text !== "");
  return [{ role: one.role, parts: texts.map((text) => textPart(String(text))) }];
}

/** An answer: a text, or a text and calls. */
function answerIn(output: string): Message {
  const whole: unknown = parsedJson(output);
  if (!isObject(whole) || !Array.isArray(whole.tool_calls))
    return { role: "assistant", parts: [textPart(output)] };
  const calls = whole.tool_calls.flatMap((call: unknown) =>
    isObject(call) ? [{ type: "tool_call", name: call.name, arguments: argumentsOf(call) }] : [],
  );
  const text = typeof whole.text === "string" ? [textPart(whole.text)] : [];
  return { role: "assistant", parts: [...text, ...calls] };
}

/** A value, which readers write as JSON themselves; the model's text where it is none. */
const argumentsOf = ({ arguments: args }: Readonly<Record<string, unknown>>): unknown =>
  typeof args === "string" ? (parsedJson(args) ?? args) : args;
