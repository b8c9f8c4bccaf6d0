import * as v from "valibot";
import {
  Feedback,
  FeedbackBody,
  FeedbackLinksBody,
  feedbackRoles,
  feedbackSources,
  LinkForm,
  ListedFeedback,
  ReviewBody,
  RunFeedback,
  reviewStatuses,
} from "../schemas/feedback/feedback.ts";
import { FEEDBACK_LINK_PATH } from "../schemas/feedback/feedback-link-path.ts";
import { FeedbackLinks } from "../schemas/feedback/feedback-links.ts";
import { SessionId } from "../schemas/sessions/session-id.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { integerText, optionalText } from "../schemas/values/fields.ts";
import { OptionalKeyText } from "../schemas/values/key-text.ts";
import { numberText } from "../schemas/values/number-text.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { created, only, user_id } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const run_id = idOf("the run");
const ofRun = {
  /** The handler requires the scopes of the run's component, which its record names. */
  scopes: [] as readonly string[],
  query: v.object({ session_id: meaning(SessionId, "Id of the run's session") }),
} as const;
const FeedbackParams = v.object({ run_id, feedback_id: idOf("the feedback") });

const LinkParams = v.object({ token: meaning(v.string(), "What the link ends with") });
const linkPath = `${FEEDBACK_LINK_PATH}{token}` as const;
const page = { mediaType: "text/html; charset=utf-8" } as const;

/** @decided  ours; the peer has no routes for feedback */
export const feedbackRoutes = {
  giveFeedback: {
    method: "POST",
    path: "/runs/{run_id}/feedback",
    scopes: [],
    params: v.object({ run_id }),
    body: { json: FeedbackBody },
    status: 201,
    response: Feedback,
    also: { 200: Feedback },
    refuses: [422],
    example: { body: { key: "thumb", score: 1, comment: "Solved it at once" } },
    summary: "Say how a run was, or one message of it",
    description:
      "Takes the scope to run the run's component, on runs of others feedback:write too. There is one for each run, message, key and author: a second one takes the place of the first and is answered with 200, and an equal one changes nothing. thumb has the score 0 or 1, rating 1 to 5, correction a correction; other keys are the caller's own, or those of the instance. What others said about a run goes with its session.",
  },
  listRunFeedback: {
    ...ofRun,
    method: "GET",
    path: "/runs/{run_id}/feedback",
    params: v.object({ run_id }),
    response: RunFeedback,
    summary: "List what was said about a run, with its sums by key",
    description: "Takes the scopes to read and to run the run's component.",
  },
  reviewFeedback: {
    ...ofRun,
    method: "PATCH",
    path: "/runs/{run_id}/feedback/{feedback_id}",
    scopes: ["feedback:write"],
    params: FeedbackParams,
    body: { json: ReviewBody },
    response: Feedback,
    example: { body: { review_status: "reviewed" } },
    summary: "Record that feedback was looked at",
  },
  removeFeedback: {
    ...ofRun,
    method: "DELETE",
    path: "/runs/{run_id}/feedback/{feedback_id}",
    params: FeedbackParams,
    status: 204,
    response: null,
    summary: "Take back feedback",
    description: "Its author may, and whoever has feedback:delete.",
  },
  listFeedback: {
    method: "GET",
    path: "/feedback",
    scopes: ["feedback:read"],
    query: v.object({
      component_type: meaning(
        v.optional(v.picklist(["agent", "team", "workflow"])),
        "Only on runs of components of this kind",
      ),
      component_id: only(OptionalKeyText, "agent, team or workflow"),
      component_version: meaning(v.optional(integerText({ min: 1 })), "Only on runs of this version"),
      key: meaning(optionalText(), "Only with this key"),
      score_min: meaning(v.optional(numberText()), "Only scores of at least this"),
      score_max: meaning(v.optional(numberText()), "Only scores of at most this"),
      role: meaning(v.optional(v.picklist(feedbackRoles)), "Only by authors in this role"),
      source: meaning(v.optional(v.picklist(feedbackSources)), "Only what came by this way"),
      review_status: meaning(v.optional(v.picklist(reviewStatuses)), "Only in this state of review"),
      user_id,
      ...created,
      limit: meaning(v.optional(integerText({ min: 1, max: 1000 }), "100"), "Most items of a page"),
      cursor: meaning(optionalText(), "The next_cursor of the page before, with the same filters"),
      format: meaning(
        v.optional(v.picklist(["json", "jsonl"]), "json"),
        "jsonl answers lines of JSON, and the next cursor in the header x-next-cursor",
      ),
    }),
    response: ListedFeedback,
    lines: true,
    refuses: [400],
    example: { query: { key: "thumb", score_max: 0, limit: 20 } },
    summary: "List feedback on all runs, the newest first",
    description:
      "Whoever is no admin and has no feedback:everybody sees what was said about its own runs. Bounds are inclusive; the times are those at which feedback was first given. One page looks at 2,000 items at most.",
  },
  createFeedbackLinks: {
    method: "POST",
    path: "/runs/{run_id}/feedback-links",
    scopes: [],
    params: v.object({ run_id }),
    body: { json: FeedbackLinksBody },
    response: FeedbackLinks,
    refuses: [400, 422],
    example: { body: { keys: ["thumb"] } },
    summary: "Make links by which feedback on a run is given without a sign-in",
    description:
      "Takes what giving it takes. Each link is good for one key, in the caller's name or in that of author, for expires_in_seconds (90 days at most) and 20 changes. 400 where the instance has no links (feedbackLinks).",
  },
  getFeedbackForm: {
    method: "GET",
    path: linkPath,
    scopes: "public",
    params: LinkParams,
    response: page,
    refuses: [410],
    summary: "Show the form of a link; nothing is recorded",
  },
  submitFeedback: {
    method: "POST",
    path: linkPath,
    scopes: "public",
    params: LinkParams,
    body: { form: LinkForm },
    anyOrigin: true,
    response: page,
    refuses: [410, 422],
    example: { body: { score: 1 } },
    summary: "Give feedback by a link",
    description:
      "Pages of any origin may send it. At most 8 KB. 410 for a link that was forged, has expired, was used for 20 changes, or whose session was removed.",
  },
} as const satisfies RouteTable;
