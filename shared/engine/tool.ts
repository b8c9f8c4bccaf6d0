import type { JSONSchema7 } from "@ai-sdk/provider";
import type * as v from "valibot";
import type { Message } from "../schemas/run.ts";
import type { RunContext } from "./run-context.ts";
import type { SessionState } from "./session-state.ts";

type ArgumentsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

/** What a tool may know about the run that calls it. */
export type ToolContext = RunContext & {
  /** Names the call within its run. */
  readonly tool_call_id: string;
  /** Names the call everywhere, and stays the same when it is tried again: for services that take such a key. */
  readonly idempotency_key: string;
  /** Aborts when the run is cancelled, times out or loses its lock. */
  readonly signal: AbortSignal;
  /** Sets keys of the session's state for later calls, later runs and the run's output; others stay. */
  readonly updateSessionState: SessionState["update"];
  /** Messages of earlier runs of the session, oldest first; none where the run has no session to look into. */
  readonly readChatHistory: (runs: number) => Promise<readonly Message[]>;
};

/**
 * Something an agent may call.
 *
 * `effect` says what a second execution would do: `safe` nothing, `keyed` nothing as long as `idempotency_key`
 * is passed on, `once` harm.
 */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: ArgumentsSchema;
  /** Shown to the model in place of `parameters`, by tools that come with a schema of their own. */
  readonly input_schema?: JSONSchema7;
  readonly effect: "safe" | "keyed" | "once";
  readonly requires_confirmation?: boolean;
  readonly execute: (args: Record<string, unknown>, context: ToolContext) => unknown;
};

/** Declares a tool; `execute` receives arguments of the declared shape. Its answer is shown to the model as text or JSON. */
export function defineTool<
  S extends v.GenericSchema<Record<string, unknown>, Record<string, unknown>>,
>(tool: {
  name: string;
  description: string;
  parameters: S;
  effect: "safe" | "keyed" | "once";
  requires_confirmation?: boolean;
  execute: (args: v.InferOutput<S>, context: ToolContext) => unknown;
}): Tool {
  return tool as unknown as Tool;
}
