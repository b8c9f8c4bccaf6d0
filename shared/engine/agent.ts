import type { OutputSchema } from "./answer-shape.ts";
import type { Tool } from "./tool.ts";
import type { ToolSource } from "./tool-source.ts";

/** An agent as `registry/` declares it. */
export type Agent = {
  readonly kind: "agent";
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly instructions?: string | readonly string[];
  /** Model specification such as `openai:gpt-5`; the platform's `MODEL` when absent. */
  readonly model?: string;
  readonly tools: readonly Tool[];
  /** Where more tools come from; asked when a run starts. */
  readonly tool_sources: readonly ToolSource[];
  /** Most tool calls of one run; no limit when absent. */
  readonly tool_call_limit?: number;
  /** Whether earlier runs of the session are shown to the model, and how many (3 when absent). */
  readonly add_history_to_context: boolean;
  readonly num_history_runs: number;
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

/** What an agent is where its declaration says nothing. @source contract, runs-and-queue 2.2 */
export const agentDefaults = {
  tools: [],
  tool_sources: [],
  add_history_to_context: false,
  num_history_runs: 3,
  markdown: false,
  retries: 0,
  delay_between_retries: 1,
  exponential_backoff: false,
  quick_prompts: [],
} as const satisfies Partial<Agent>;

type AgentDeclaration = Pick<Agent, "id" | "name"> & Partial<Omit<Agent, "kind">>;

/** Declares an agent; what is left out takes the wire's default. */
export function defineAgent(declared: AgentDeclaration): Agent {
  return { kind: "agent", ...agentDefaults, ...declared };
}
