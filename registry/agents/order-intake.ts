import * as v from "valibot";
import { defineAgent } from "../../shared/engine/define/index.ts";

/** Accepts no free text: a message is one order as JSON. A run pauses for consent before it spends more than a few cents. */
export const orderIntake = defineAgent({
  id: "order-intake",
  name: "Order intake",
  description: "Checks an order and says in one sentence what is ordered.",
  instructions: "Repeat the order in one sentence and name what looks wrong.",
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
