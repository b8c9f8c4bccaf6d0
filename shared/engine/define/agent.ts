import type * as v from "valibot";
import type { StateReducers } from "../../domain/sessions/session-state.ts";
import type { OnlineEvaluation } from "../../schemas/evals/online-evaluation.ts";
import { type DeclaredModel, specOfDeclared } from "../model/declared-model.ts";
import type { Compacting } from "../model/windows.ts";
import type { LearningModes } from "../recall/learning-kind.ts";
import { learningTools } from "../recall/learning-kinds.ts";
import { type MemorySettings, memoryTool } from "../recall/memory-settings.ts";
import { type KnowledgeSettings, searchTool } from "../recall/search-tool.ts";
import { skillTools } from "../skill/skill-tools.ts";
import { type SkillSettings, skillsOf } from "../skill/skills-of.ts";
import { type DeclaredTools, toolsOf } from "../tool/ai-tools.ts";
import { chatHistoryTool, sessionStateTool } from "../tool/built-in-tools.ts";
import { type DeclaredSchema, isJsonSchema, type JsonSchema, schemaOf } from "../tool/declared-schema.ts";
import { noteDeclaration } from "../tool/note-declaration.ts";
import type { OffloadSettings } from "../tool/offload-settings.ts";
import type { RunContext, Tool, ToolSource } from "../tool/tool.ts";
import type { DeclaredCallback } from "./declared-callback.ts";
import type { PostHook, PreHook } from "./hook.ts";
import type { RemoteSettings } from "./remote-settings.ts";

/** The schema of an answer. Its `title` names the answer's type. */
export type OutputSchema = v.GenericSchema | JsonSchema;

type InstructionLines = string | readonly string[];

/** Fixed, or computed for each run: the function is called once, when the run starts. */
export type Instructions =
  | InstructionLines
  | ((context: RunContext) => InstructionLines | Promise<InstructionLines>);

/** A message that every run of an agent starts with, such as an example of a good answer. */
export type AdditionalMessage = { readonly role: "user" | "assistant"; readonly content: string };

/** Whether the first model call of a run must, may or must not call tools; later calls are free to choose. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

/**
 * Specifications of models that answer where an agent's own fails. A list for one kind of failure comes before `on_error`;
 * only `on_refused` answers what a model or its service has refused.
 */
export type FallbackConfig = {
  readonly on_error?: readonly string[] | undefined;
  readonly on_rate_limit?: readonly string[] | undefined;
  readonly on_context_overflow?: readonly string[] | undefined;
  readonly on_refused?: readonly string[] | undefined;
};

const compactionModel = (compaction: AgentSettings["compaction"]): string | undefined =>
  typeof compaction === "object" ? compaction.model : undefined;

/** The models that an agent or a team may be answered by, as far as it names them. */
export const namedModels = ({
  model,
  fallback_models = [],
  fallback_config = {},
  helper_model,
  followup_model,
  compaction,
}: Pick<
  AgentSettings,
  "model" | "fallback_models" | "fallback_config" | "helper_model" | "followup_model" | "compaction"
>): string[] => [
  ...[model, helper_model, followup_model, compactionModel(compaction)].filter((spec) => spec !== undefined),
  ...fallback_models,
  ...Object.values(fallback_config).flatMap((list) => list ?? []),
];

/** The settings that agents and leaders of teams have in common: everything but the members. */
export type AgentSettings = KnowledgeSettings &
  MemorySettings &
  SkillSettings &
  Compacting &
  OwnInputs & {
    readonly id: string;
    /** The version of a stored component. */
    readonly version?: number;
    /**
     * Changed by whoever changes it so that a run which has begun could not go on with it. A run whose own version of the
     * code is not kept any more continues with the current one only where this is the same; see docs/guide/registry.md.
     */
    readonly revision?: string | number;
    /** Who is notified when its background runs end, unless their request names a receiver. */
    readonly callback?: DeclaredCallback;
    readonly name: string;
    readonly description?: string;
    readonly role?: string;
    /** How it introduces itself to users; shown to clients, not to the model. */
    readonly introduction?: string;
    readonly instructions?: Instructions;
    readonly expected_output?: string;
    readonly additional_context?: string;
    /** Replaces the system text that follows from the other settings. */
    readonly system_message?: string;
    readonly additional_input: readonly AdditionalMessage[];
    readonly add_name_to_context: boolean;
    readonly add_datetime_to_context: boolean;
    /** IANA name for the date and time; UTC when absent. */
    readonly timezone_identifier?: string;
    readonly add_session_state_to_context: boolean;
    /** Whether the model may change the session's state, by a tool. */
    readonly enable_agentic_state: boolean;
    readonly add_dependencies_to_context: boolean;
    /** Whether `{name}` in the system text becomes the value of that name; see `turn/system-text.ts`. */
    readonly resolve_in_context: boolean;
    /** Model specification such as `openai:gpt-6.1-sol`; the platform's `MODEL` when absent. */
    readonly model?: string;
    /** Specifications of models that answer, in this order, where its own fails: another name of `on_error`. */
    readonly fallback_models?: readonly string[];
    readonly fallback_config?: FallbackConfig;
    /**
     * Specification of the model for memories, learnings, summaries, follow-up questions, names and shortened history; the platform's
     * `helperModel` when absent, and without that the run's own. Where it fails, the run's own is asked.
     */
    readonly helper_model?: string;
    /** Specification of the model for follow-up questions; it comes before `helper_model`. */
    readonly followup_model?: string;
    /** Replaces the task that asks for follow-up questions. */
    readonly followup_instructions?: string;
    /** Most tokens of one answer; a default applies when there is a budget, see `outputLimit`. */
    readonly max_output_tokens?: number;
    /** How freely the model chooses its words, 0 to 2; the provider decides when absent. */
    readonly temperature?: number;
    /** Whether a provider may cache its prompts (yes when absent), and for how long; the instance decides when absent. */
    readonly prompt_cache?: boolean | { readonly ttl: "1h" };
    readonly tools: readonly Tool[];
    /** Sources of more tools; listed when a run starts. */
    readonly tool_sources: readonly ToolSource[];
    readonly tool_choice?: ToolChoice;
    /** Most tool calls of one run; no limit when absent. At the limit the model is called once more, without tools. */
    readonly tool_call_limit?: number;
    /**
     * Whether large results of tools are kept out of the prompt: the model is shown head and tail, and tools that read the rest.
     * Above 5 % of the model's window when absent, 16,000 characters when true.
     */
    readonly offload_tool_results?: boolean | OffloadSettings;
    /** Most model calls of one run; the last one is without tools. */
    readonly max_steps: number;
    /**
     * How often in a row the model may call the same with the same result, by itself or in a cycle of up to three answers;
     * then it is called once more without tools. 0 switches it off.
     */
    readonly loop_limit: number;
    /** Whether earlier runs of the session are shown to the model. */
    readonly add_history_to_context: boolean;
    /** Exactly how many; 3 to 5 when absent, so that they begin at the same run for three runs. */
    readonly num_history_runs?: number;
    /** Most messages of earlier runs that are shown; no limit when absent. */
    readonly num_history_messages?: number;
    /** Whether the model may read earlier messages of the session. */
    readonly read_chat_history: boolean;
    /** Whether each run writes a summary of its session, which later runs are shown. */
    readonly enable_session_summaries: boolean;
    /** Whether the model is shown the session's summary; as `enable_session_summaries` says when absent. */
    readonly add_session_summary_to_context?: boolean;
    /** Whether, and how, it records what it learns about the user and what the user deals with. */
    readonly learning: boolean | LearningModes;
    /** Whether the model is shown what was learned. */
    readonly add_learnings_to_context: boolean;
    /** Whether each run ends with questions that the user may ask next, and how many. */
    readonly followups: boolean;
    readonly num_followups: number;
    /** The message must be JSON of this shape. */
    readonly input_schema?: v.GenericSchema;
    /** Called before the first model call, in this order; the first refusal ends the run. */
    readonly pre_hooks: readonly PreHook[];
    /** Called with all text of the run so far after each model call; the first refusal ends the run. */
    readonly post_hooks: readonly PostHook[];
    /** With `post_hooks`: whether text is streamed once they have let it pass (`answer`, as when absent), or at once. */
    readonly stream_hold?: "answer" | "none";
    /** With `post_hooks`: whether what they refuse is kept for admins. It is kept nowhere when absent. */
    readonly keep_withheld?: "audit";
    /** Most tokens, and dollars, that one run may spend before a person is asked. */
    readonly max_tokens_per_run?: number;
    readonly max_cost_per_run?: number;
    /** How a share of its runs is judged after they have ended; a member's or a step's run is not. */
    readonly online_evaluation?: OnlineEvaluation;
    readonly markdown: boolean;
    /** The schema of the answer; a request may set another one. */
    readonly output_schema?: OutputSchema;
    /** How often a model call that failed before its first token is retried, where the failure may be temporary. */
    readonly retries: number;
    /** Seconds before a retry; they double with every failure when `exponential_backoff` is set. */
    readonly delay_between_retries: number;
    readonly exponential_backoff: boolean;
    readonly quick_prompts: readonly string[];
    readonly metadata?: Readonly<Record<string, unknown>>;
  };

/** An agent as `registry/` declares it. */
export type Agent = AgentSettings & {
  readonly kind: "agent";
  /** Set for an agent that another organization runs; it has no model and no tools then. */
  readonly remote?: RemoteSettings;
};

/** The defaults of settings that a declaration leaves out. @source docs/interface/runs.md 2.2 */
export const agentDefaults = {
  additional_input: [],
  add_name_to_context: false,
  add_datetime_to_context: false,
  add_session_state_to_context: false,
  enable_agentic_state: false,
  add_dependencies_to_context: false,
  resolve_in_context: true,
  tools: [],
  tool_sources: [],
  add_history_to_context: false,
  read_chat_history: false,
  search_knowledge: true,
  add_knowledge_to_context: false,
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
  retries: 2,
  delay_between_retries: 1,
  exponential_backoff: true,
  max_steps: 250,
  loop_limit: 5,
  quick_prompts: [],
} as const satisfies Partial<Agent>;

/** The schemas of a declaration, as its author writes them. */
type DeclaredSchemas = { readonly input_schema?: DeclaredSchema; readonly output_schema?: DeclaredSchema };

/** What a declaration may also have of the AI SDK. */
type DeclaredParts = { readonly model?: DeclaredModel; readonly tools?: DeclaredTools };
type Written = DeclaredSchemas & DeclaredParts;

/** What a declaration may say: settings that are left out have defaults. */
export type DeclarationOf<T> = Partial<Omit<T, "kind" | keyof Written>> &
  Pick<Written, keyof T & keyof Written>;

/**
 * A declaration with its schemas, its model and its tools in the form that the platform works with.
 *
 * @throws Error; see `schemaOf`, `specOfDeclared` and `toolsOf`
 */
export function withSchemas<D extends Written>(who: string, declared: D) {
  const { input_schema: input, output_schema: output, model, tools, ...rest } = declared;
  return {
    ...rest,
    ...(model !== undefined && { model: specOfDeclared(who, model) }),
    ...(tools && { tools: toolsOf(tools) }),
    ...(input && { input_schema: schemaOf(`the input_schema of ${who}`, input) }),
    // An answer is checked against a JSON Schema as the run's own request may set one.
    ...(output && {
      output_schema: isJsonSchema(output) ? output : schemaOf(`the output_schema of ${who}`, output),
    }),
  };
}

type AgentDeclaration = Pick<Agent, "id" | "name"> & DeclarationOf<AgentSettings>;

/** Declares an agent; what is left out takes the wire's default. @throws Error when one of its schemas is none */
export function defineAgent(declared: AgentDeclaration): Agent {
  const settings = withSchemas(`the agent ${declared.id}`, declared);
  return noteDeclaration(withOwnTools({ kind: "agent", ...agentDefaults, ...settings }));
}

/** Whether the model is shown the summary of its session. */
export const showsSummary = ({
  add_session_summary_to_context,
  enable_session_summaries,
}: Pick<AgentSettings, "add_session_summary_to_context" | "enable_session_summaries">): boolean =>
  add_session_summary_to_context ?? enable_session_summaries;

/** Adds the tools that settings of an agent, or of a team's leader, turn on. */
export function withOwnTools<A extends AgentSettings>(agent: A): A {
  const own = [
    ...(agent.read_chat_history ? [chatHistoryTool] : []),
    ...(agent.enable_agentic_memory ? [memoryTool] : []),
    ...(agent.enable_agentic_state ? [sessionStateTool] : []),
    ...learningTools(agent.learning),
    ...knowledgeTools(agent),
    ...skillTools(skillsOf(agent)),
  ];
  return own.length > 0 ? { ...agent, tools: [...agent.tools, ...own] } : agent;
}

/** The tool of an agent, or a team's leader, that may search a knowledge base; none where it has no base or may not. */
const knowledgeTools = (settings: KnowledgeSettings): Tool[] =>
  settings.knowledge !== undefined && settings.search_knowledge
    ? [searchTool(settings.knowledge, settings)]
    : [];

/** What an agent, a team or a workflow brings to its runs itself; what a request or the session has takes precedence. */
export type OwnInputs = {
  /** Values for its tools and its prompt; those of a request replace them by name. */
  readonly dependencies?: Readonly<Record<string, unknown>>;
  /** What its sessions begin with; keys that a session has stay as they are. */
  readonly session_state?: Readonly<Record<string, unknown>>;
  /**
   * How keys of the state are merged that several runs change at the same time: `add` sums numbers, `append` keeps the
   * items of all lists. The last writer's value stays where nothing is declared.
   */
  readonly state?: StateReducers;
};

type Inputs = {
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly session_state: Readonly<Record<string, unknown>>;
};

/** A request with what the runnable brings itself; the same request where it brings nothing. */
export function withOwnInputs<R extends Inputs>({ dependencies, session_state }: OwnInputs, request: R): R {
  return {
    ...request,
    ...(dependencies && { dependencies: { ...dependencies, ...request.dependencies } }),
    ...(session_state && { session_state: { ...session_state, ...request.session_state } }),
  };
}
