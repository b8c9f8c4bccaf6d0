import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { sealLink } from "../../shared/outbound/index.ts";
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
  if (settings.FEEDBACK_LINKS === "off") {
    throw new ServiceError(
      "BAD_REQUEST",
      "this instance has no links for feedback; its operator switches them on (feedbackLinks=on)",
    );
  }
  const unknown = keys.find((key) => !isKnown(key, settings));
  if (unknown !== undefined) {
    throw new ServiceError("UNPROCESSABLE", `key ${unknown} is not one of this instance's`);
  }
  const roots = await signingRoots();
  const expires_at = now + expires_in_seconds;
  const address = settings.PUBLIC_URL ?? origin ?? "";
  return Object.fromEntries(
    keys.map((key) => [
      key,
      `${address}/f/${sealLink(roots, { run_id, session_id, key, author, expires_at })}`,
    ]),
  );
};

const isKnown = (key: string, { FEEDBACK_KEYS: keys }: FeedbackDeps["settings"]): boolean =>
  keys === undefined || ["thumb", "rating", "correction"].includes(key) || Object.hasOwn(keys, key);
