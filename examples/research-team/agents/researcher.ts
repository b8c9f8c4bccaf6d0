import { defineAgent } from "@agentplatform/core";
import { readPage } from "../tools/read-page.ts";

export const researcher = defineAgent({
  id: "researcher",
  name: "Researcher",
  role: "Reads pages and collects facts, each with its address.",
  instructions:
    "Read what is asked for. Note facts with the address that they are from. Say what you did not find.",
  tools: [readPage],
});
