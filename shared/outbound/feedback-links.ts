import { FEEDBACK_LINK_PATH } from "../schemas/feedback/feedback-link-path.ts";
import { type FeedbackLink, sealLink } from "./feedback-link.ts";
import type { SigningRoots } from "./signing-keys.ts";

/**
 * The addresses of the pages on which feedback on a run is given, by key. Nothing is stored for them.
 *
 * @param address  of the platform, without a slash at its end
 */
export const feedbackLinks = (
  roots: SigningRoots,
  address: string,
  { run_id, session_id }: Pick<FeedbackLink, "run_id" | "session_id">,
  keys: readonly string[],
  given: Pick<FeedbackLink, "author" | "expires_at">,
): Record<string, string> =>
  Object.fromEntries(
    keys.map((key) => [
      key,
      `${address}${FEEDBACK_LINK_PATH}${sealLink(roots, { run_id, session_id, key, ...given })}`,
    ]),
  );
