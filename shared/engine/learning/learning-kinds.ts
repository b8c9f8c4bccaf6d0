import { decisionLog } from "./kinds/decision-log.ts";
import { entityMemory } from "./kinds/entity-memory.ts";
import { sessionContext } from "./kinds/session-context.ts";
import { userMemory } from "./kinds/user-memory.ts";
import { userProfile } from "./kinds/user-profile.ts";
import type { LearningKind } from "./learning-kind.ts";
import type { LearningKindName } from "./learning-modes.ts";

/** @source docs/interface/learnings.md 3.1 */
export const learningKinds: Readonly<Record<LearningKindName, LearningKind>> = {
  user_profile: userProfile,
  user_memory: userMemory,
  session_context: sessionContext,
  entity_memory: entityMemory,
  decision_log: decisionLog,
};
