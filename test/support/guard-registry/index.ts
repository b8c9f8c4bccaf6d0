import * as v from "valibot";
import {
  defineAgent,
  defineTeam,
  defineTool,
  defineWorkflow,
  type PostHook,
  type PreHook,
  type Registry,
} from "../../../shared/engine/define/index.ts";

/** A registry of guarded components that are shown everything that a client may send, for the table of ways. */
export const REFUSAL = "Please do not send card numbers.";
export const WITHHELD = "The answer was withheld.";

const noCardNumbers: PreHook = {
  name: "no_card_numbers",
  check: (text) =>
    /\b(?:\d[ -]?){13,19}\b/.test(text) ? { refused: REFUSAL, error_id: "card_number" } : undefined,
};
const noPasswords: PostHook = {
  name: "no_passwords",
  check: (text) => (/password\s+is/i.test(text) ? { refused: WITHHELD, error_id: "password" } : undefined),
};

const confirmed = defineTool({
  name: "confirmed",
  description: "Waits for a consent.",
  parameters: v.object({ words: v.optional(v.string()) }),
  effect: "safe",
  requires_confirmation: true,
  execute: () => "done",
});
const approved = defineTool({
  name: "approved",
  description: "Waits for an approver, who fills a value in.",
  parameters: v.object({ words: v.string() }),
  effect: "safe",
  approval_type: "required",
  requires_user_input: true,
  user_input_fields: ["words"],
  execute: ({ words }) => `noted ${words}`,
});
const editable = defineTool({
  name: "editable",
  description: "Waits for an approver, who may change its arguments.",
  parameters: v.object({ words: v.optional(v.string()) }),
  effect: "safe",
  approval_type: "required",
  requires_confirmation: true,
  execute: ({ words }) => `noted ${words}`,
});
const filledIn = defineTool({
  name: "filled_in",
  description: "Waits for a value.",
  parameters: v.object({ words: v.string() }),
  effect: "safe",
  requires_user_input: true,
  user_input_fields: ["words"],
  execute: ({ words }) => `noted ${words}`,
});
const asked = defineTool({
  name: "asked",
  description: "Asks a question without options.",
  parameters: v.object({}),
  effect: "safe",
  asks: () => [{ question: "Which?", header: "Which", multi_select: true, options: [] }],
});
const elsewhere = defineTool({
  name: "elsewhere",
  description: "The client executes it.",
  parameters: v.object({}),
  effect: "safe",
  external_execution: true,
});
const word = defineTool({
  name: "word",
  description: "Repeats a word.",
  parameters: v.object({ words: v.string() }),
  effect: "safe",
  execute: ({ words }) => words,
});
const recite = defineTool({
  name: "recite",
  description: "Its result is the answer.",
  parameters: v.object({ words: v.string() }),
  effect: "safe",
  stop_after_tool_call: true,
  execute: ({ words }) => words,
});

const tools = [confirmed, approved, editable, filledIn, asked, elsewhere, recite, word];
const shown = {
  instructions: "The tenant is {tenant}, the guest is {guest}.",
  add_dependencies_to_context: true,
  add_session_state_to_context: true,
} as const;

const guarded = defineAgent({
  ...{ id: "guarded", name: "Guarded", ...shown, tools },
  ...{ pre_hooks: [noCardNumbers], post_hooks: [noPasswords] },
});
/** Its stream is not held back, and admins may read what was withheld. */
const audited = defineAgent({
  ...{ id: "audited", name: "Audited", tools, stream_hold: "none", keep_withheld: "audit" },
  post_hooks: [noPasswords],
});
/** Has no guard of its own. */
const open = defineAgent({ id: "open", name: "Open", ...shown, tools });
const guardedTeam = defineTeam({
  ...{ id: "guarded-team", name: "Guarded team", ...shown, members: [open], tools },
  ...{ pre_hooks: [noCardNumbers], post_hooks: [noPasswords] },
});
const guardedFlow = defineWorkflow({
  id: "guarded-flow",
  name: "Guarded flow",
  steps: [
    {
      name: "ask",
      type: "Step",
      executor: guarded,
      on_error: "fail",
      review: { requires_user_input: true, user_input_schema: [{ name: "words", field_type: "str" }] },
    },
    {
      name: "draft",
      type: "Step",
      executor: guarded,
      on_error: "fail",
      review: { requires_output_review: true, on_reject: "retry", max_retries: 1 },
    },
    { name: "again", type: "Step", executor: guarded, on_error: "fail" },
  ],
});
/** Asks a person nothing, so what is sent to it reaches the agent at once. */
const guardedSteps = defineWorkflow({
  id: "guarded-steps",
  name: "Guarded steps",
  steps: [{ name: "answer", type: "Step", executor: guarded, on_error: "fail" }],
});

export const registry: Registry = {
  agents: [guarded, audited, open],
  teams: [guardedTeam],
  workflows: [guardedFlow, guardedSteps],
};
