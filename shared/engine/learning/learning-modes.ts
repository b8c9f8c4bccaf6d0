/** What can be learned that has a form of its own. @source contract, memories-and-learnings 3.6 */
export const learningKindNames = [
  "user_profile",
  "user_memory",
  "session_context",
  "entity_memory",
  "decision_log",
] as const;
export type LearningKindName = (typeof learningKindNames)[number];

/**
 * How something is learned: the model says so by a tool while it works (`agentic`), says so and a person agrees first
 * (`propose`), or is asked after each answer (`always`), which is one more call of the model for all that is learned so.
 *
 * @source contract, memories-and-learnings 3.6; `hitl` is reserved there
 */
export const learningModes = ["agentic", "propose", "always"] as const;
export type LearningMode = (typeof learningModes)[number];

export type LearningModes = Readonly<Partial<Record<LearningKindName, LearningMode>>>;

/** What an agent learns that says no more than that it learns. */
const PLAIN: LearningModes = { user_profile: "agentic", entity_memory: "agentic", decision_log: "agentic" };

/** What an agent learns, and how. */
const modesOf = (learning: boolean | LearningModes): LearningModes =>
  learning === true ? PLAIN : learning === false ? {} : learning;

/** What is learned in one of these modes. */
export const learnedBy = (learning: boolean | LearningModes, mode: LearningMode): LearningKindName[] => {
  const modes = modesOf(learning);
  return learningKindNames.filter((name) => modes[name] === mode);
};
