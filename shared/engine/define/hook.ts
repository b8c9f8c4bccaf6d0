import type { RunContext } from "../tool/run-context.ts";

/** Why a hook does not let a run go on. */
export type HookRefusal = {
  /** Public: the run shows it as its content. */
  readonly refused: string;
  /** Names the kind of fault for programs, such as `card_number`. */
  readonly error_id: string;
};

type Verdict = HookRefusal | undefined;

/**
 * A guardrail before the first model call. It lets the input pass by returning undefined.
 *
 * @decided  Hooks decide and do not rewrite: what a run was asked is what its record shows.
 */
export type PreHook = {
  readonly name: string;
  readonly check: (input: string, context: RunContext) => Verdict | Promise<Verdict>;
};

/** A guardrail on the answer. By then a stream has shown it; the run ends as ERROR all the same. */
export type PostHook = {
  readonly name: string;
  readonly check: (content: string, context: RunContext) => Verdict | Promise<Verdict>;
};
