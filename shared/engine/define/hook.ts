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
 * A guardrail before the first model call. It lets the input pass by returning undefined.
 *
 * @decided  Hooks decide and cannot rewrite the input: a run's record shows the input that the run had.
 */
export type PreHook = {
  readonly name: string;
  readonly check: (input: string, context: RunContext) => Verdict | Promise<Verdict>;
};

/** A guardrail on the answer. A stream has already shown the answer; the run still ends as ERROR. */
export type PostHook = {
  readonly name: string;
  readonly check: (content: string, context: RunContext) => Verdict | Promise<Verdict>;
};
