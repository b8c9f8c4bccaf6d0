import { defineWorkflow } from "@agentplatform/core";
import { mealsClerk, travelClerk } from "../agents/clerks.ts";
import { claimOf, claimSchema, LARGE } from "./claim.ts";

/** A clerk checks the claim by the rules of its kind, a person decides on a large one, and it is paid. */
export const expenseClaim = defineWorkflow({
  id: "expense-claim",
  name: "Expense claim",
  description: "Checks what an employee asks to be paid back, and pays it.",
  input_schema: claimSchema,
  steps: [
    {
      name: "check",
      type: "Router",
      selector: ({ input }) => claimOf(input).category,
      choices: [
        { name: "travel", type: "Step", executor: travelClerk },
        { name: "meals", type: "Step", executor: mealsClerk },
      ],
    },
    {
      name: "large?",
      type: "Condition",
      evaluate: ({ input }) => claimOf(input).amount >= LARGE,
      steps: [
        {
          name: "decide",
          type: "Step",
          executor: () => "allowed by a person",
          // The run pauses before this step, and nothing is paid without an answer.
          review: {
            requires_confirmation: true,
            confirmation_message: "Pay this claim?",
            on_reject: "cancel",
          },
        },
      ],
      else_steps: [{ name: "accept", type: "Step", executor: () => "allowed by its amount" }],
    },
    {
      name: "pay",
      type: "Step",
      executor: ({ input, previous }) => {
        const { employee, amount } = claimOf(input);
        return `Paid ${amount} to ${employee}: ${String(previous)}.`;
      },
    },
  ],
});
