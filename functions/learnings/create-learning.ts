import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { learningRoutes } from "../../shared/routes/learnings.ts";
import {
  createOwned,
  learningKind,
  type StoredLearning,
  wireLearning,
} from "../../shared/stores/owned/index.ts";
import { learningCaller, refuseForeign } from "./learning-owners.ts";
import type { LearningsDeps } from "./learnings-deps.ts";
import { planLearning } from "./plan-learning.ts";

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
