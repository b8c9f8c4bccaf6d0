import { defineAgent } from "@agentplatform/core";

export const librarian = defineAgent({
  id: "librarian",
  name: "Librarian",
  instructions: "Answer from the documents alone, and name the document. Say so when they have no answer.",
  // The base that every platform has; agent-platform.config.ts may name others: settings.knowledgeBases.
  knowledge: "handbook",
  add_history_to_context: true,
});
