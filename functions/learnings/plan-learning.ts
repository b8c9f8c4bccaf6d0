import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { CreateLearningBody } from "../../shared/schemas/memories/learning.ts";
import { GLOBAL_NAMESPACE, learningIdOf, type StoredLearning } from "../../shared/stores/owned/index.ts";

/** The record of a new learning. */
export function planLearning(
  body: CreateLearningBody,
  { clock, newId }: { clock: Clock; newId: () => string },
): StoredLearning {
  const { learning_type, content, metadata = null } = body;
  return {
    learning_id: learningIdOf(body) ?? newId(),
    learning_type,
    namespace: body.namespace || (learning_type === "entity_memory" ? GLOBAL_NAMESPACE : null),
    user_id: body.user_id || null,
    agent_id: body.agent_id || null,
    team_id: body.team_id || null,
    session_id: body.session_id || null,
    entity_id: body.entity_id || null,
    entity_type: body.entity_type || null,
    content,
    metadata,
    created_at: epochSeconds(clock),
    changed_at_ms: clock.now(),
  };
}
