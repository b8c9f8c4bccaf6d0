import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";
import type { CreateLearningBody } from "../../shared/schemas/memories/learning.ts";
import {
  createOwned,
  GLOBAL_NAMESPACE,
  learningIdOf,
  learningKind,
  type StoredLearning,
  wireLearning,
} from "../../shared/stores/owned/index.ts";
import { learningCaller, refuseForeign } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";

/** Without a user it is unowned, and every user may read it. @source docs/interface/learnings.md 2.4 */
export const createLearning: Handler<typeof learningRoutes.createLearning, LearningsDeps> = async (
  { body, query, principal },
  { db, clock, newId },
) => {
  refuseForeign(learningCaller(principal, query), body.user_id);
  const learning = planLearning(body, { clock, newId });
  refuseLarge(learning);
  if (!(await createOwned(db, learningKind, learning))) throw idTaken(learning.learning_id);
  return wireLearning(learning);
};

const idTaken = (id: string): ServiceError =>
  new ServiceError("CONFLICT", `learning ${id} exists already; change it with PATCH /learnings/${id}`);

/** An item holds 400 KB, keys and names included. */
const MAX_BYTES = 350_000;

/** @throws ServiceError PAYLOAD_TOO_LARGE */
export function refuseLarge({ content, metadata }: Pick<StoredLearning, "content" | "metadata">): void {
  if (Buffer.byteLength(JSON.stringify({ content, metadata })) <= MAX_BYTES) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `content and metadata of a learning are ${MAX_BYTES} bytes of JSON at most`,
  );
}

/** The record of a new learning. */
function planLearning(
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
