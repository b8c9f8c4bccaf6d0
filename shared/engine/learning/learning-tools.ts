import type { LearningBook } from "../ports/learning-book.ts";
import { defineTool, type Tool, type ToolContext } from "../tool/tool.ts";
import { learningKinds } from "./learning-kinds.ts";
import { type LearningKindName, type LearningModes, learnedBy } from "./learning-modes.ts";

/** The tools by which a model records what it learns during a run. Every record belongs to the run's user. */
export const learningTools = (learning: boolean | LearningModes): Tool[] => [
  ...learnedBy(learning, "agentic").map((name) => recordingTool(name, false)),
  ...learnedBy(learning, "propose").map((name) => recordingTool(name, true)),
];

function recordingTool(name: LearningKindName, requires_confirmation: boolean): Tool {
  const { tool, description, parameters, record } = learningKinds[name];
  return defineTool({
    name: tool,
    description,
    parameters,
    effect: "keyed",
    ...(requires_confirmation && { requires_confirmation }),
    execute: (args, context) => {
      const { user_id, session_id, idempotency_key: key } = context;
      return record(args, { book: bookOf(context), user_id, session_id, key });
    },
  });
}

function bookOf({ learnings }: ToolContext): LearningBook {
  if (!learnings) throw new Error("Nothing can be recorded here.");
  return learnings;
}
