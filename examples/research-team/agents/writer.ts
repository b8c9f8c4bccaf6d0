import { defineAgent } from "@agentplatform/core";

export const writer = defineAgent({
  id: "writer",
  name: "Writer",
  role: "Writes a short text from collected facts.",
  instructions: "Write plainly, at most ten sentences, and name the source of each claim.",
});
