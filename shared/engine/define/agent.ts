import type * as v from "valibot";
import type { KnowledgeSettings } from "../knowledge/knowledge-settings.ts";
import { knowledgeTools } from "../knowledge/with-knowledge.ts";
import type { LearningModes } from "../learning/learning-modes.ts";
import { learningTools } from "../learning/learning-tools.ts";
import type { MemorySettings } from "../memory/memory-settings.ts";
import { memoryTool } from "../memory/memory-tool.ts";
import { chatHistoryTool } from "../tool/chat-history-tool.ts";
import type { RunContext } from "../tool/run-context.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { PostHook, PreHook } from "./hook.ts";
import type { OutputSchema } from "./output-schema.ts";

type InstructionLines = string | readonly string[];

/** Fixed, or made for each run: the function is asked once, when the run begins. */
export type Instructions =
  | InstructionLines
  | ((context: RunContext) => InstructionLines | Promise<InstructionLines>);

/** A message that every run of an agent starts with, such as an example of a good answer. */
export type AdditionalMessage = { readonly role: "user" | "assistant"; readonly content: string };

/** What the first model call of a run must, may or must not do about tools; later calls are free. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

/** What an agent and the leader of a team have in common: all that a run needs to know but who helps it. */
export type AgentSettings = KnowledgeSettings &
  MemorySettings & {
    readonly id: string;
    /** Of a stored component: which of its versions this is. */
    readonly version?: number;
    readonly name: string;
    readonly description?: string;
    readonly role?: string;
    /** What it says of itself before anybody asks; shown to clients, not to the model. */
    readonly introduction?: string;
    readonly instructions?: Instructions;
    readonly expected_output?: string;
    readonly additional_context?: string;
    /** Takes the place of everything that the other settings would tell the model about itself. */
    readonly system_message?: string;
    readonly additional_input: readonly AdditionalMessage[];
    readonly add_name_to_context: boolean;
    readonly add_datetime_to_context: boolean;
    /** IANA name for the date and time; UTC when absent. */
    readonly timezone_identifier?: string;
    readonly add_session_state_to_context: boolean;
    readonly add_dependencies_to_context: boolean;
    /** Whether `{name}` in what the model is told becomes the value of that name; see `resolve-placeholders.ts`. */
    readonly resolve_in_context: boolean;
    /** Model specification such as `openai:gpt-5`; the platform's `MODEL` when absent. */
    readonly model?: string;
    /** Most tokens of one answer; a default applies where a budget must be kept, see `budget/output-limit.ts`. */
    readonly max_output_tokens?: number;
    readonly tools: readonly Tool[];
    /** Where more tools come from; asked when a run starts. */
    readonly tool_sources: readonly ToolSource[];
    readonly tool_choice?: ToolChoice;
    /** Most tool calls of one run; no limit when absent. */
    readonly tool_call_limit?: number;
    /** Whether earlier runs of the session are shown to the model, and how many (3 when absent). */
    readonly add_history_to_context: boolean;
    readonly num_history_runs: number;
    /** Whether the model may look up what was said in the session. */
    readonly read_chat_history: boolean;
    /** Whether each run sums its session up, and later runs are told. */
    readonly enable_session_summaries: boolean;
    /** Whether, and how, it records what it learns of the user and of what the user deals with. */
    readonly learning: boolean | LearningModes;
    /** Whether it is told what was learned. */
    readonly add_learnings_to_context: boolean;
    /** Whether each run ends with questions that the user may ask next, and how many. */
    readonly followups: boolean;
    readonly num_followups: number;
    /** The message must be JSON of this shape. */
    readonly input_schema?: v.GenericSchema;
    /** Asked before the first model call, in this order; the first refusal ends the run. */
    readonly pre_hooks: readonly PreHook[];
    /** Asked about the answer. */
    readonly post_hooks: readonly PostHook[];
    /** Most tokens, and dollars, that one run may spend before a person is asked. */
    readonly max_tokens_per_run?: number;
    readonly max_cost_per_run?: number;
    readonly markdown: boolean;
    /** What the answer must be; a request may ask for another shape. */
    readonly output_schema?: OutputSchema;
    /** How often a model call is made again after a failure that may pass, such as throttling. */
    readonly retries: number;
    /** Seconds before it is; they double with every failure where `exponential_backoff` is set. */
    readonly delay_between_retries: number;
    readonly exponential_backoff: boolean;
    readonly quick_prompts: readonly string[];
    readonly metadata?: Readonly<Record<string, unknown>>;
  };

/** An agent as `registry/` declares it. */
export type Agent = AgentSettings & { readonly kind: "agent" };

/** What an agent is where its declaration says nothing. @source contract, runs-and-queue 2.2 */
export const agentDefaults = {
  additional_input: [],
  add_name_to_context: false,
  add_datetime_to_context: false,
  add_session_state_to_context: false,
  add_dependencies_to_context: false,
  resolve_in_context: true,
  tools: [],
  tool_sources: [],
  add_history_to_context: false,
  num_history_runs: 3,
  read_chat_history: false,
  search_knowledge: true,
  enable_agentic_knowledge_filters: false,
  enable_session_summaries: false,
  enable_agentic_memory: false,
  update_memory_on_run: false,
  learning: false,
  add_learnings_to_context: true,
  followups: false,
  num_followups: 3,
  pre_hooks: [],
  post_hooks: [],
  markdown: false,
  retries: 0,
  delay_between_retries: 1,
  exponential_backoff: false,
  quick_prompts: [],
} as const satisfies Partial<Agent>;

type AgentDeclaration = Pick<Agent, "id" | "name"> & Partial<AgentSettings>;

/** Declares an agent; what is left out takes the wire's default. */
export function defineAgent(declared: AgentDeclaration): Agent {
  return withOwnTools({ kind: "agent", ...agentDefaults, ...declared });
}

/** Adds the tools that settings of an agent, or of a team's leader, stand for. */
export function withOwnTools<A extends AgentSettings>(agent: A): A {
  const own = [
    ...(agent.read_chat_history ? [chatHistoryTool] : []),
    ...(agent.enable_agentic_memory ? [memoryTool] : []),
    ...learningTools(agent.learning),
    ...knowledgeTools(agent),
  ];
  return own.length > 0 ? { ...agent, tools: [...agent.tools, ...own] } : agent;
}
