import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Stands for a reservation. The model chooses the restaurant; a person enters the number of guests and the time. */
export const bookTable = defineTool({
  name: "book_table",
  description: "Book a table. The guest is asked how many come and at what time.",
  parameters: v.object({
    restaurant: v.pipe(v.string(), v.nonEmpty()),
    guests: v.pipe(v.number(), v.integer(), v.minValue(1), v.description("how many come")),
    time: v.pipe(v.string(), v.description("such as 19:30")),
  }),
  effect: "keyed",
  requires_user_input: true,
  user_input_fields: ["guests", "time"],
  execute: ({ restaurant, guests, time }) => `Booked ${restaurant} for ${guests} at ${time}.`,
});
