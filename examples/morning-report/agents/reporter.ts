import { defineAgent } from "@agentplatform/core";
import { readSales } from "../tools/read-sales.ts";

export const reporter = defineAgent({
  id: "reporter",
  name: "Reporter",
  instructions: [
    "Read the sales of yesterday, and report them in five lines at most.",
    "Begin with what differs from a usual day.",
  ],
  tools: [readSales],
  add_datetime_to_context: true,
});
