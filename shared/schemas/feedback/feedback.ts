import * as v from "valibot";
import { SessionId } from "../sessions/session-id.ts";
import { describedAs, meaning } from "../values/described-as.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { numberText } from "../values/number-text.ts";

/** By which way it was given. */
export const feedbackSources = ["api", "console", "chat", "link", "review"] as const;
/** Who gave it: the run's own user, another participant of the conversation, who operates the platform, or who reviews for it. */
export const feedbackRoles = ["user", "participant", "operator", "reviewer"] as const;
export const reviewStatuses = ["new", "reviewed", "dismissed"] as const;
export type FeedbackRole = (typeof feedbackRoles)[number];

const MAX_VALUE_CHARS = 500;
const MAX_TEXT_BYTES = 16_384;
/** Longest id of a message that feedback may name. */
const MAX_MESSAGE_ID_CHARS = 200;

/** What is judged: `thumb`, `rating`, `correction`, or a name of the caller's own. */
export const FeedbackKey = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9_-]{1,64}$/, "must be 1 to 64 of a-z, 0-9, _ and -"),
);

const Score = describedAs(v.pipe(v.number(), v.finite("must be a finite number")), { type: "number" });
const Value = v.pipe(v.string(), maxChars(MAX_VALUE_CHARS));
const Text = v.pipe(
  v.string(),
  v.check((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, "must be at most 16 KB"),
);

/** What an author says about a run, or about one message of it. */
const said = {
  score: v.optional(Score),
  value: v.optional(Value),
  comment: v.optional(Text),
  correction: v.optional(Text),
};

/** Feedback as clients see it. There is one for each run, message, key and author. */
export const Feedback = v.object({
  /** `fb_` and 20 hexadecimal digits, which follow from run, message, key and author. */
  feedback_id: v.string(),
  run_id: v.string(),
  session_id: v.string(),
  /** Absent where it is about the whole run. */
  message_id: v.optional(v.string()),
  component: v.object({
    type: v.picklist(["agent", "team", "workflow"]),
    id: v.string(),
    version: v.optional(v.number()),
  }),
  /** The run's user; null where it has none. */
  user_id: v.nullable(v.string()),
  key: FeedbackKey,
  ...said,
  source: v.picklist(feedbackSources),
  /** User id of who gave it; null for a credential without one. */
  author: v.nullable(v.string()),
  role: v.picklist(feedbackRoles),
  review_status: v.picklist(reviewStatuses),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type Feedback = v.InferOutput<typeof Feedback>;

const SCORE = "How good it was: 0 or 1 for a thumb, 1 to 5 for a rating";

export const FeedbackBody = v.object({
  session_id: meaning(SessionId, "Id of the run's session"),
  message_id: meaning(
    v.optional(v.pipe(v.string(), v.minLength(1), maxChars(MAX_MESSAGE_ID_CHARS))),
    "Id of the message that is judged; without it the whole run is",
  ),
  key: meaning(FeedbackKey, "What is judged: thumb, rating, correction, or a name of your own"),
  score: meaning(said.score, SCORE),
  value: meaning(said.value, "A category, for a key that has some"),
  comment: meaning(said.comment, "Why"),
  correction: meaning(said.correction, "What the answer should have been"),
  source: meaning(v.optional(v.picklist(["api", "console"]), "api"), "By which way it was given"),
  author: meaning(
    v.optional(v.pipe(KeyText, v.minLength(1))),
    "Who says it, where that is not the caller; takes feedback:everybody",
  ),
});
export type FeedbackBody = v.InferOutput<typeof FeedbackBody>;

export const ReviewBody = v.object({
  review_status: meaning(v.picklist(reviewStatuses), "What became of it: new, reviewed or dismissed"),
});

/** Of one key: how many gave it, the sum of their scores, and how many gave each score. */
export const KeySummary = v.object({
  count: v.number(),
  sum: v.number(),
  scores: v.record(v.string(), v.number()),
});

export const RunFeedback = v.object({
  data: v.array(Feedback),
  summary: v.record(v.string(), KeySummary),
});
export type FeedbackSummary = v.InferOutput<typeof RunFeedback>["summary"];

export const ListedFeedback = v.object({
  data: v.array(Feedback),
  next_cursor: meaning(
    v.nullable(v.string()),
    "Null on the last page; a page may have fewer items than were asked for",
  ),
});

const MAX_LINK_SECONDS = 90 * 86_400;
const LINK_SECONDS = 7 * 86_400;
const MAX_KEYS = 20;

export const FeedbackLinksBody = v.object({
  session_id: meaning(SessionId, "Id of the run's session"),
  keys: meaning(
    v.pipe(v.array(FeedbackKey), v.minLength(1), v.maxLength(MAX_KEYS)),
    "What is judged, each by a link of its own",
  ),
  author: FeedbackBody.entries.author,
  expires_in_seconds: meaning(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(MAX_LINK_SECONDS)), LINK_SECONDS),
    "How long the links are good for; a week unless it is said",
  ),
});

export const LinkForm = v.object({
  score: meaning(v.optional(numberText()), SCORE),
  value: FeedbackBody.entries.value,
  comment: FeedbackBody.entries.comment,
  correction: FeedbackBody.entries.correction,
});
export type LinkForm = v.InferOutput<typeof LinkForm>;
