import * as v from "valibot";
import { defineTool } from "../../../shared/engine/define/index.ts";

/** Tools before whose call a run pauses, one for each way in which it may wait. */
const nonEmpty = v.pipe(v.string(), v.nonEmpty());
const money = v.pipe(v.number(), v.gtValue(0));

/**
 * The user confirms it; twice would be harm. Of release 0.1.0 there are runs that wait for it (`test/upgrade/`), and go on only
 * while its parameters are what they were.
 */
export const issueRefund = defineTool({
  name: "issue_refund",
  description: "Refund an order.",
  parameters: v.object({
    order_id: nonEmpty,
    amount: v.pipe(money, v.description("in the currency of the order")),
  }),
  effect: "once",
  requires_confirmation: true,
  execute: ({ order_id, amount }) => `Refunded ${amount} for order ${order_id}.`,
});

/** The user confirms it, which is recorded; twice would be harm. */
export const sendLetter = defineTool({
  name: "send_letter",
  description: "Send a letter.",
  parameters: v.object({ to: nonEmpty, text: nonEmpty }),
  effect: "once",
  requires_confirmation: true,
  approval_type: "audit",
  execute: ({ to }) => `The letter to ${to} is on its way.`,
});

/** The user confirms it, which is recorded. */
export const changeAddress = defineTool({
  name: "change_address",
  description: "Change an address.",
  parameters: v.object({ account: v.string(), city: v.string() }),
  effect: "safe",
  requires_confirmation: true,
  approval_type: "audit",
  execute: ({ account, city }) => `Letters for ${account} go to ${city}.`,
});

/** An approver allows it, and who runs it confirms it. */
export const closeAccount = defineTool({
  name: "close_account",
  description: "Close an account.",
  parameters: v.object({ account: nonEmpty }),
  effect: "once",
  requires_confirmation: true,
  approval_type: "required",
  execute: ({ account }) => `Account ${account} is closed.`,
});

/** An approver allows it. */
export const payInvoice = defineTool({
  name: "pay_invoice",
  description: "Pay an invoice.",
  parameters: v.object({ invoice_id: nonEmpty, amount: money }),
  effect: "once",
  approval_type: "required",
  execute: ({ invoice_id, amount }) => `Paid ${amount} for invoice ${invoice_id}.`,
});

/** The user fills two of three arguments in. */
export const bookTable = defineTool({
  name: "book_table",
  description: "Book a table.",
  parameters: v.object({
    restaurant: nonEmpty,
    guests: v.pipe(v.number(), v.integer(), v.minValue(1), v.description("how many come")),
    time: v.pipe(v.string(), v.description("such as 19:30")),
  }),
  effect: "keyed",
  requires_user_input: true,
  user_input_fields: ["guests", "time"],
  execute: ({ restaurant, guests, time }) => `Booked ${restaurant} for ${guests} at ${time}.`,
});

/** The user fills one argument in. */
export const fileComplaint = defineTool({
  name: "file_complaint",
  description: "File a complaint.",
  parameters: v.object({ account: v.string(), words: v.string() }),
  effect: "safe",
  user_input_fields: ["words"],
  execute: ({ account, words }) => `Complaint of ${account}: ${words}`,
});

/** The user answers questions. */
export const askUser = defineTool({
  name: "ask_user",
  description: "Ask the user.",
  parameters: v.object({
    questions: v.pipe(
      v.array(
        v.object({
          question: v.string(),
          header: v.string(),
          multi_select: v.optional(v.boolean(), false),
          options: v.pipe(
            v.array(v.object({ label: v.string(), description: v.optional(v.string()) })),
            v.minLength(2),
          ),
        }),
      ),
      v.minLength(1),
    ),
  }),
  effect: "safe",
  asks: ({ questions }) => questions,
});

/** The client executes it. */
export const readDeviceFile = defineTool({
  name: "read_device_file",
  description: "Read a file of the user's device.",
  parameters: v.object({ path: nonEmpty }),
  effect: "safe",
  external_execution: true,
});

/** The client executes it, and what is here is not called. */
export const lookUpMeter = defineTool({
  name: "look_up_meter",
  description: "Have a meter read.",
  parameters: v.object({ account: v.string() }),
  effect: "safe",
  external_execution: true,
  execute: () => "called all the same",
});
