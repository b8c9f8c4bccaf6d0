/** The kinds of learnings that have a schema. */
export const learningKindNames = [
  "user_profile",
  "user_memory",
  "session_context",
  "entity_memory",
  "decision_log",
] as const;
export type LearningKindName = (typeof learningKindNames)[number];

/**
 * How something is learned: by a tool that the model calls during a run (`agentic`), by one that a person confirms
 * first (`propose`), or by a query after each answer (`always`), which is one model call more for the mode.
 */
export const learningModes = ["agentic", "propose", "always"] as const;
export type LearningMode = (typeof learningModes)[number];

export type LearningModes = Readonly<Partial<Record<LearningKindName, LearningMode>>>;

/** The modes of an agent with `learning: true`. */
const DEFAULT_MODES: LearningModes = {
  user_profile: "agentic",
  entity_memory: "agentic",
  decision_log: "agentic",
};

/** What an agent learns, and how. */
const modesOf = (learning: boolean | LearningModes): LearningModes =>
  learning === true ? DEFAULT_MODES : learning === false ? {} : learning;

/** The kinds that are learned in this mode. */
export const learnedBy = (learning: boolean | LearningModes, mode: LearningMode): LearningKindName[] => {
  const modes = modesOf(learning);
  return learningKindNames.filter((name) => modes[name] === mode);
};
