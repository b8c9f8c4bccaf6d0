import type { RunContext } from "../tool/tool.ts";

/** Why a hook refuses a run. */
export type HookRefusal = {
  /** Public: the run shows it as its content. */
  readonly refused: string;
  /** The kind of refusal, for programs, such as `card_number`. */
  readonly error_id: string;
};

type Verdict = HookRefusal | undefined;

/**
 * Where a text of a person or of a client comes from:
 *
 *   message         what the run was asked, or was asked later, and what its client says was said before
 *   answer          a value that a person filled in or chose, the result of a client's tool
 *   note            what a person wrote about a call, in an approval too
 *   dependencies    values of the request that stand in the system text, with metadata that it names
 *   session_state   the same of the session's state
 *   client_tools    names, descriptions and parameters of the client's tools
 *   output_schema   the same of the schema of the answer
 *   file            an attached text
 */
export const textOrigins = [
  "message",
  "answer",
  "note",
  "dependencies",
  "session_state",
  "client_tools",
  "output_schema",
  "file",
] as const;
export type TextOrigin = (typeof textOrigins)[number];

/**
 * A guardrail before a model sees a text of a person or of a client, one text at a time. It lets the text pass by
 * returning undefined. A value that is no text arrives as its texts, names and numbers, a line each.
 *
 * @decided  Hooks decide and cannot rewrite the input: a run's record shows the input that the run had.
 */
export type PreHook = {
  readonly name: string;
  readonly check: (input: string, context: RunContext, origin: TextOrigin) => Verdict | Promise<Verdict>;
};

/**
 * A guardrail on what the run's model says. Text that it refuses is replaced by the refusal wherever the run's text is stored or
 * shown, and the run ends as ERROR.
 */
export type PostHook = {
  readonly name: string;
  readonly check: (content: string, context: RunContext) => Verdict | Promise<Verdict>;
};
