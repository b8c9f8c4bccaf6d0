import { defineAgent } from "../../shared/engine/define/index.ts";

/** Shows an agent with knowledge: it searches the base to which files are uploaded. */
export const librarian = defineAgent({
  id: "librarian",
  name: "Librarian",
  description: "Answers from what was uploaded to the knowledge base.",
  instructions: "Look the question up before you answer, and name the document that you rely on.",
  knowledge: "handbook",
  enable_agentic_knowledge_filters: true,
});
