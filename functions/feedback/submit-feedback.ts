import { ServiceError } from "../../shared/errors.ts";
import { recordFeedback } from "../../shared/feedback/record-feedback.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { type FeedbackDeps, recordingWith } from "./feedback-deps.ts";
import { pageHeaders, thanksPage } from "./link-page.ts";
import { gone, linkedRun } from "./linked-run.ts";

const MAX_BYTES = 8_192;

/** @throws ServiceError GONE, PAYLOAD_TOO_LARGE, UNPROCESSABLE */
export const submitFeedback: Handler<typeof feedbackRoutes.submitFeedback, FeedbackDeps> = async (
  { params: { token }, body: said, headers },
  deps,
) => {
  const now = epochSeconds(deps.clock);
  const { link, ...judged } = await linkedRun(deps, token, now);
  const bytes = Math.max(Number(headers["content-length"] ?? 0), Buffer.byteLength(JSON.stringify(said)));
  if (bytes > MAX_BYTES) {
    throw new ServiceError("PAYLOAD_TOO_LARGE", `feedback by a link may hold at most ${MAX_BYTES} bytes`);
  }
  const { key, author } = link;
  // A form sends the fields that were left empty too.
  const given = Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined && one !== ""));
  const whole = { ...given, key, author, source: "link", isNamed: true } as const;
  const { outcome } = await recordFeedback(recordingWith(deps), judged, whole, now);
  if (outcome === "gone" || outcome === "used_up") throw gone();
  return new Reply(200, thanksPage, pageHeaders);
};
