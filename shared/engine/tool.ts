import type * as v from "valibot";

type ArgumentsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

/** What a tool may know about the run that calls it. */
export type ToolContext = {
  readonly run_id: string;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly agent_id: string;
  /** Names the call within its run. */
  readonly tool_call_id: string;
  /** Names the call everywhere, and stays the same when it is tried again: for services that take such a key. */
  readonly idempotency_key: string;
  /** Aborts when the run is cancelled, times out or loses its lock. */
  readonly signal: AbortSignal;
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
  readonly effect: "safe" | "keyed" | "once";
  readonly requires_confirmation?: boolean;
  /** What the model leaves to a person to fill in: names of parameters. */
  readonly user_input_fields?: readonly string[];
  /** Somebody else executes it and sends the result. */
  readonly external_execution?: boolean;
  /** `required`: an approval must be given before it runs; `audit`: the answer is recorded. */
  readonly approval_type?: "required" | "audit";
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
  user_input_fields?: readonly (keyof v.InferOutput<S> & string)[];
  external_execution?: boolean;
  approval_type?: "required" | "audit";
  execute: (args: v.InferOutput<S>, context: ToolContext) => unknown;
}): Tool {
  return tool as unknown as Tool;
}
