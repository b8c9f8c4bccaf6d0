import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Stands for a payment that needs the approval of a person who may grant approvals. */
export const payInvoice = defineTool({
  name: "pay_invoice",
  description: "Pay an invoice. A person has to approve it first.",
  parameters: v.object({
    invoice_id: v.pipe(v.string(), v.nonEmpty()),
    amount: v.pipe(v.number(), v.gtValue(0)),
  }),
  effect: "once",
  approval_type: "required",
  execute: ({ invoice_id, amount }) => `Paid ${amount} for invoice ${invoice_id}.`,
});
