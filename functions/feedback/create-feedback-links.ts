import { LINKS_ARE_OFF, unknownKey } from "../../shared/domain/feedback/unknown-key.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { feedbackLinks } from "../../shared/outbound/index.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import { runToJudge } from "./judged-run.ts";

/**
 * Makes links; nothing is stored for them.
 *
 * @throws ServiceError BAD_REQUEST where the instance has none, UNAUTHORIZED, NOT_FOUND, UNPROCESSABLE for an unknown key
 */
export const createFeedbackLinks: Handler<typeof feedbackRoutes.createFeedbackLinks, FeedbackDeps> = async (
  { params: { run_id }, body, principal, origin },
  { db, clock, signingRoots, settings },
) => {
  const { session_id, keys, author: named, expires_in_seconds } = body;
  const now = epochSeconds(clock);
  const { author } = await runToJudge(db, principal, { run_id, session_id }, { named, now });
  if (settings.FEEDBACK_LINKS === "off") throw new ServiceError("BAD_REQUEST", LINKS_ARE_OFF);
  const unknown = unknownKey(keys, settings.FEEDBACK_KEYS);
  if (unknown !== undefined) {
    throw new ServiceError("UNPROCESSABLE", `key ${unknown} is not one of this instance's`);
  }
  const address = settings.PUBLIC_URL ?? origin ?? "";
  const given = { author, expires_at: now + expires_in_seconds };
  return feedbackLinks(await signingRoots(), address, { run_id, session_id }, keys, given);
};
