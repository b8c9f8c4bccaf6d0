import * as v from "valibot";
import { defineAgent } from "../../../shared/engine/define/index.ts";
import { addNumbers, drawBadge, getTime, rememberName } from "./plain-tools.ts";
import {
  askUser,
  bookTable,
  changeAddress,
  closeAccount,
  fileComplaint,
  issueRefund,
  lookUpMeter,
  payInvoice,
  readDeviceFile,
  sendLetter,
} from "./waiting-tools.ts";

/** What most tests run. */
export const assistant = defineAgent({
  id: "assistant",
  name: "Assistant",
  description: "Has a tool of each plain kind.",
  instructions: ["Be brief.", "Prefer tools."],
  tools: [getTime, addNumbers, drawBadge],
  add_history_to_context: true,
  markdown: true,
  quick_prompts: ["What time is it in Tokyo?", "What is 1 plus 2?"],
});

/** Its one tool waits for a confirmation and must not be called twice. */
export const refundDesk = defineAgent({
  id: "refund-desk",
  name: "Refund desk",
  description: "Gives refunds after a confirmation.",
  instructions: "Issue the refund.",
  tools: [issueRefund],
  add_history_to_context: true,
  quick_prompts: ["Refund order A-1."],
});

/** Its runs wait for everything that the user who started them can give. */
export const frontDesk = defineAgent({
  id: "front-desk",
  name: "Front desk",
  description: "Waits in every way.",
  instructions: "Ask.",
  tools: [askUser, bookTable, payInvoice, readDeviceFile, sendLetter],
  quick_prompts: ["Book Olivo."],
});

/** Its runs wait for other people than the user too. */
export const accountDesk = defineAgent({
  id: "account-desk",
  name: "Account desk",
  description: "Waits for approvers.",
  tools: [closeAccount, changeAddress, fileComplaint, lookUpMeter],
  quick_prompts: ["Close account K-1."],
});

/** Has the options that concern a session: its state, a summary, the chat history, hooks, instructions of a function. */
export const concierge = defineAgent({
  id: "concierge",
  name: "Concierge",
  description: "Knows its session.",
  role: "Concierge",
  introduction: "Welcome!",
  instructions: ({ session_state }) => [
    "Be brief.",
    "guest" in session_state ? "Call the guest {guest}." : "Ask for the guest's name.",
  ],
  expected_output: "A sentence.",
  add_datetime_to_context: true,
  timezone_identifier: "Europe/Zurich",
  add_dependencies_to_context: true,
  tools: [rememberName],
  read_chat_history: true,
  enable_session_summaries: true,
  followups: true,
  pre_hooks: [
    {
      name: "no_card_numbers",
      check: (input) =>
        /\b(?:\d[ -]?){13,19}\b/.test(input)
          ? { refused: "Please do not send card numbers.", error_id: "card_number" }
          : undefined,
    },
  ],
  post_hooks: [
    {
      name: "no_passwords",
      check: (content) =>
        content.includes("password is")
          ? { refused: "The answer held a password.", error_id: "password" }
          : undefined,
    },
  ],
  quick_prompts: ["I am Maria."],
});

/** Takes a form instead of a text, and pauses before it spends more than a few cents. */
export const orderIntake = defineAgent({
  id: "order-intake",
  name: "Order intake",
  description: "Takes orders as JSON.",
  instructions: "Repeat the order.",
  input_schema: v.object({
    customer: v.pipe(v.string(), v.nonEmpty()),
    items: v.pipe(
      v.array(v.object({ sku: v.string(), count: v.pipe(v.number(), v.integer()) })),
      v.minLength(1),
    ),
  }),
  max_tokens_per_run: 8_000,
  quick_prompts: ['{"customer":"Maria","items":[{"sku":"A-1","count":2}]}'],
});

/** Keeps memories and learnings of its users. */
export const companion = defineAgent({
  id: "companion",
  name: "Companion",
  description: "Remembers its users.",
  instructions: "Use what is known of the user.",
  enable_agentic_memory: true,
  update_memory_on_run: true,
  learning: true,
  quick_prompts: ["I sail."],
});

/** Searches a knowledge base, with filters of its own choice. */
export const librarian = defineAgent({
  id: "librarian",
  name: "Librarian",
  description: "Answers from the knowledge base.",
  instructions: "Look it up.",
  knowledge: "handbook",
  enable_agentic_knowledge_filters: true,
});
