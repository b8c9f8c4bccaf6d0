import type { JSONSchema7 } from "@ai-sdk/provider";
import type * as v from "valibot";
import type { Message } from "../../schemas/runs/run.ts";
import type { KnowledgeQuestion, SearchKnowledge } from "../ports/knowledge-port.ts";
import type { LearningBook } from "../ports/learning-book.ts";
import type { SessionState } from "../ports/session-state.ts";
import type { RunContext } from "./run-context.ts";

type ArgumentsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

/** What a tool may know about the run that calls it. */
export type ToolContext = RunContext & {
  /** Names the call within its run. */
  readonly tool_call_id: string;
  /** Names the call everywhere, and stays the same when it is tried again: for services that take such a key. */
  readonly idempotency_key: string;
  /** Aborts when the run is cancelled, times out or loses its lock, and when the tool's own time is over. */
  readonly signal: AbortSignal;
  /** Sets keys of the session's state for later calls, later runs and the run's output; others stay. */
  readonly updateSessionState: SessionState["update"];
  /** Messages of earlier runs of the session, oldest first; none where the run has no session to look into. */
  readonly readChatHistory: (runs: number) => Promise<readonly Message[]>;
  /** Searches knowledge as the user of the run. */
  readonly searchKnowledge: (question: Omit<KnowledgeQuestion, "user_id">) => ReturnType<SearchKnowledge>;
  /** Has what is worth it remembered of the user. @returns what was remembered @throws when nothing could be */
  readonly remember: (said: string) => Promise<readonly string[]>;
  /** What is learned of the user, for later runs; absent where nothing outlives the process. */
  readonly learnings?: LearningBook;
};

/** A question to a person with the answers to choose from; any text is an answer where there are none. */
export type Question = {
  readonly question: string;
  /** A word or two to show above it. */
  readonly header: string;
  readonly multi_select: boolean;
  readonly options?: readonly { readonly label: string; readonly description?: string | undefined }[];
};

/** What a tool is besides the code that it runs. */
type ToolTraits = {
  readonly name: string;
  readonly description: string;
  /**
   * What a second execution would do: `safe` nothing, `keyed` nothing as long as `idempotency_key` is passed on, `once`
   * harm. A `once` call that may have happened, because its process died, runs again only if a person says so.
   */
  readonly effect: "safe" | "keyed" | "once";
  /** A person says yes or no before it runs. */
  readonly requires_confirmation?: boolean;
  /** A person fills in arguments before it runs. */
  readonly requires_user_input?: boolean;
  /** Somebody else executes it and sends the result. */
  readonly external_execution?: boolean;
  /** Clients are not told in words that they are waited for. */
  readonly external_execution_silent?: boolean;
  /** `required`: an approval is asked for and must be given; `audit`: what a person answers is put on record. */
  readonly approval_type?: "required" | "audit";
  /** Its result is the run's answer; the model is not asked again. */
  readonly stop_after_tool_call?: boolean;
  /** Seconds after which it counts as failed, or as in doubt where it may not run twice. */
  readonly timeout_seconds?: number;
};

/** Something an agent may call. */
export type Tool = ToolTraits & {
  readonly parameters: ArgumentsSchema;
  /** Shown to the model in place of `parameters`, by tools that come with a schema of their own. */
  readonly input_schema?: JSONSchema7;
  /** The arguments that a person fills in; all of them when absent. The model is not shown them. */
  readonly user_input_fields?: readonly string[];
  /** What it asks a person instead of running; the answers are its result. */
  readonly asks?: (args: Record<string, unknown>) => readonly Question[];
  /** Absent where a person or somebody else gives the result. */
  readonly execute?: (args: Record<string, unknown>, context: ToolContext) => unknown;
};

type Declared<S extends ArgumentsSchema> = ToolTraits & {
  parameters: S;
  user_input_fields?: readonly (keyof v.InferOutput<S> & string)[];
} & (
    | { execute: (args: v.InferOutput<S>, context: ToolContext) => unknown }
    | { external_execution: true }
    | { asks: (args: v.InferOutput<S>) => readonly Question[] }
  );

/** Declares a tool; `execute` receives arguments of the declared shape. Its answer is shown to the model as text or JSON. */
export function defineTool<S extends ArgumentsSchema>(declared: Declared<S>): Tool {
  // Arguments are validated against `parameters` before a tool sees them, which no type can say.
  const tool = declared as unknown as Tool;
  if (tool.user_input_fields && !tool.requires_user_input) return { ...tool, requires_user_input: true };
  return tool;
}
