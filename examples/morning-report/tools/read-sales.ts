import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Stands in for your shop's numbers; replace it by a query. */
const sales = [
  { product: "lamp", sold: 12, returned: 1 },
  { product: "chair", sold: 3, returned: 0 },
];

export const readSales = defineTool({
  name: "read_sales",
  description: "What was sold and returned on one day, by product.",
  parameters: v.object({ day: v.pipe(v.string(), v.isoDate()) }),
  // Doing it twice does no harm.
  effect: "safe",
  execute: ({ day }) => ({ day, sales }),
});
