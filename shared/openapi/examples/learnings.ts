import type { learningRoutes } from "../../routes/learnings.ts";
import type { Learning } from "../../schemas/memories/learning.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const learning: Learning = {
  learning_id: pathExamples.learning_id,
  learning_type: "learned_knowledge",
  namespace: "global",
  user_id: "maria",
  agent_id: "assistant",
  team_id: null,
  session_id: null,
  entity_id: null,
  entity_type: null,
  content: { title: "Refunds", learning: "Ask for the order number first." },
  metadata: null,
  created_at: 1772615700,
  updated_at: 1772615700,
};

export const learningExamples: ExamplesOf<typeof learningRoutes> = {
  listLearnings: {
    query: { learning_type: "learned_knowledge", agent_id: "assistant" },
    answer: pageWith(learning),
  },
  createLearning: {
    body: {
      learning_type: "learned_knowledge",
      user_id: "maria",
      namespace: "global",
      agent_id: "assistant",
      content: learning.content,
    },
    answer: learning,
  },
  listLearningUsers: { answer: pageWith({ user_id: "maria", last_learning_updated_at: 1772615700 }) },
  removeUserLearnings: { query: { learning_type: "learned_knowledge" } },
  getLearning: { answer: learning },
  updateLearning: {
    body: { metadata: { checked_by: "otto" } },
    answer: { ...learning, metadata: { checked_by: "otto" }, updated_at: 1772615760 },
  },
  removeLearning: {},
};
