import type { JSONSchema7 } from "@ai-sdk/provider";
import type * as v from "valibot";
import type { Log } from "../../runtime/log.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { GivenMedium } from "../model/given-medium.ts";
import type { KnowledgeQuestion, LearningBook, SearchKnowledge } from "../ports/engine-ports.ts";
import type { StateView } from "../ports/session-state.ts";
import { type ObjectSchema, schemaOf, type ValueOf } from "./declared-schema.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { noteDeclaration } from "./note-declaration.ts";
import { checkRights, type ToolRights } from "./tool-rights.ts";

type ArgumentsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

/**
 * What a tool can read about its run, and what it can do there.
 *
 * @typeParam Secrets  the names of the secrets that the tool declares
 */
export type ToolContext<Secrets extends string = never> = RunContext & {
  /** Values of the secrets that the tool declares, as they are now: after a rotation the new ones. */
  readonly secrets: Readonly<Record<Secrets, string>>;
  /** Writes lines to the function's log, with the ids of the run and of the call. Values of secrets are replaced in them. */
  readonly log: Log;
  /** The id of the call within its run. */
  readonly tool_call_id: string;
  /** Globally unique for the call, and the same when it is retried: for services that take such a key. */
  readonly idempotency_key: string;
  /** Names the call's span to services that it calls, by W3C Trace Context; absent where the run is not traced. */
  readonly traceparent?: string;
  /** Aborts when the run is cancelled, times out or loses its lock, and when the tool's own timeout is over. */
  readonly signal: AbortSignal;
  /** Sets keys of the session's state for later calls, later runs and the run's output; other keys stay. */
  readonly updateSessionState: StateView["update"];
  /** Messages of earlier runs of the session, oldest first; none when the run has no session. */
  readonly readChatHistory: (runs: number) => Promise<readonly Message[]>;
  /** Searches knowledge as the user of the run. */
  readonly searchKnowledge: (question: Omit<KnowledgeQuestion, "user_id">) => ReturnType<SearchKnowledge>;
  /** Saves what is worth remembering about the user. @returns the saved texts @throws when nothing could be saved */
  readonly remember: (said: string) => Promise<readonly string[]>;
  /** Learnings about the user, for later runs; absent when nothing is stored. */
  readonly learnings?: LearningBook;
};

/** A question to a person with options to choose from; without options any text is an answer. */
export type Question = {
  readonly question: string;
  /** A word or two to show above it. */
  readonly header: string;
  readonly multi_select: boolean;
  readonly options?: readonly { readonly label: string; readonly description?: string | undefined }[];
};

/** A tool's properties other than its code. */
type ToolTraits = {
  readonly name: string;
  readonly description: string;
  /**
   * What a second execution would do: `safe` nothing, `keyed` nothing as long as `idempotency_key` is passed on, `once`
   * harm. A `once` call that may have happened, because its process died, runs again only if a person confirms it.
   */
  readonly effect: "safe" | "keyed" | "once";
  /** A person confirms or refuses it before it runs. */
  readonly requires_confirmation?: boolean;
  /** Whether the person may also change its arguments; true unless it is set. */
  readonly editable?: boolean;
  /** A person fills in arguments before it runs. */
  readonly requires_user_input?: boolean;
  /** The client executes it and sends the result. */
  readonly external_execution?: boolean;
  /** The paused run has no text that says it waits for the client. */
  readonly external_execution_silent?: boolean;
  /** `required`: an approval is asked for and must be given; `audit`: what a person answers is recorded. */
  readonly approval_type?: "required" | "audit";
  /** Its result is the run's answer; the model is not called again. */
  readonly stop_after_tool_call?: boolean;
  /** Seconds after which it counts as failed, or as in doubt when it must not run twice; `toolTimeoutSeconds` when absent. */
  readonly timeout_seconds?: number;
  /**
   * How often a call that failed is made again, 0 to 5, one second later, then two, up to 30. Not for a tool whose second
   * execution would do harm; a `keyed` one gets the same `idempotency_key`.
   */
  readonly retries?: number;
  /** How many of its calls in one answer run at once; `maxParallelTools` when absent. */
  readonly max_parallel?: number;
  /** Whether the model may call it with the same result again and again, as it does while it waits for something. */
  readonly may_repeat?: boolean;
} & ToolRights;

/** Something an agent may call. */
export type Tool = ToolTraits & {
  readonly parameters: ArgumentsSchema;
  /** Shown to the model instead of `parameters`; for tools that bring a JSON Schema of their own. */
  readonly input_schema?: JSONSchema7;
  /** The arguments that a person fills in; all of them when absent. The model is not shown them. */
  readonly user_input_fields?: readonly string[];
  /** What it asks a person instead of running; the answers are its result. */
  readonly asks?: (args: Record<string, unknown>) => readonly Question[];
  /** Longest result, in bytes of its text, that the model may be shown whole, whatever its agent wants. */
  readonly max_result_bytes?: number;
  /** Absent when a person or the client provides the result. */
  readonly execute?: (
    args: Record<string, unknown>,
    context: ToolContext<string>,
    elsewhere?: Elsewhere,
  ) => unknown;
  /** Ends a call that goes on at its server, whose run has ended. @param kept what it was to go on from */
  readonly abandon?: (kept: string, asking: AskingRun) => Promise<void>;
};

type Declared<S extends ObjectSchema, Secrets extends string> = ToolTraits & {
  parameters: S;
  secrets?: readonly Secrets[];
  user_input_fields?: readonly (keyof ValueOf<S> & string)[];
} & (
    | { execute: (args: ValueOf<S>, context: ToolContext<Secrets>) => unknown }
    | { external_execution: true }
    | { asks: (args: ValueOf<S>) => readonly Question[] }
  );

/**
 * Declares a tool; `execute` receives arguments of the declared shape, and the secrets that are declared. Its answer is
 * shown to the model as text or JSON.
 *
 * @throws Error when its parameters are no schema, or a secret or a permission cannot be what the author means; see
 *         `schemaOf` and `checkRights`
 */
export function defineTool<S extends ObjectSchema, const Secrets extends string = never>(
  declared: Declared<S, Secrets>,
): Tool {
  const parameters = schemaOf(`the parameters of the tool ${declared.name}`, declared.parameters);
  // Arguments are validated against `parameters` before a tool sees them, which the types cannot express.
  const tool = { ...declared, parameters } as unknown as Tool;
  checkRights(`the tool ${tool.name}`, tool);
  checkCalls(`the tool ${tool.name}`, tool);
  const asks = tool.user_input_fields && !tool.requires_user_input;
  return noteDeclaration(asks ? { ...tool, requires_user_input: true } : tool);
}

const MAX_RETRIES = 5;

/** @throws Error where a tool's calls cannot be made as it says */
function checkCalls(who: string, { retries = 0, max_parallel = 1, effect }: ToolTraits): void {
  if (!Number.isInteger(retries) || retries < 0 || retries > MAX_RETRIES) {
    throw new Error(`${who}: retries must be a whole number from 0 to ${MAX_RETRIES}.`);
  }
  if (retries > 0 && effect === "once") {
    throw new Error(
      `${who}: a call that must not happen twice is never made again, so it has no retries. If the service takes an idempotency key, its effect is "keyed".`,
    );
  }
  if (!Number.isInteger(max_parallel) || max_parallel < 1) {
    throw new Error(`${who}: max_parallel must be a whole number of at least 1.`);
  }
}

/** What an agent's own code (instructions, hooks, tools) can read about its run. */
export type RunContext = {
  readonly run_id: string;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly agent_id: string;
  /** The session's state with what this run has changed, as it was when the code was called. */
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** An object of filters, one filter expression, or several. */
  readonly knowledge_filters?: unknown;
  /** Form fields that the platform does not know, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** A source of tools that are not declared in code, such as an MCP server. */
export type ToolSource = {
  /** Public: shown when the source cannot be reached. */
  readonly name: string;
  /** Names of the secrets with which it is asked; see `ToolRights`. */
  readonly secrets?: readonly string[];
  /** Whether it is a program of the machine, which cannot be deployed. */
  readonly starts_program?: boolean;
  /** Put before the name of each of its tools that another tool of the agent has too; without it such a tool fails the run. */
  readonly collision_prefix?: string | undefined;
  /**
   * @param asking  the run that needs the tools, and the values of the secrets
   * @throws the error that kept the source from answering
   */
  readonly list: (signal: AbortSignal, asking: AskingRun) => Promise<readonly Tool[]>;
};

/** On whose behalf, and for which run, something outside is asked. */
export type AskingRun<Secrets extends string = string> = Pick<
  RunContext,
  "run_id" | "session_id" | "user_id"
> & {
  readonly secrets: Readonly<Record<Secrets, string>>;
};

/** A tool's result with files beside its text. */
export type ResultWithMedia = { readonly text: string; readonly media: readonly GivenMedium[] };

const results = new WeakSet<object>();

/**
 * Returns files with a tool's text. They are in the run's output, are sent to chats, and are shown to the model as far
 * as it can read them; see `save-media.ts` for the limits of a run.
 *
 * @example  execute: ({ text }) => resultWithMedia("Here it is.", [{ mime_type: "image/png", bytes: draw(text) }])
 */
export function resultWithMedia(text: string, media: readonly GivenMedium[]): ResultWithMedia {
  const result = { text, media };
  results.add(result);
  return result;
}

/** Distinguishes such a result from a plain object of the same shape. */
export const isResultWithMedia = (value: unknown): value is ResultWithMedia =>
  typeof value === "object" && value !== null && results.has(value);
