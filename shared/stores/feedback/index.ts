/** The face of the table of feedback; every other file is internal. */
export {
  type Given,
  type GivenFeedback,
  giveFeedback,
  type JudgedSession,
  removeFeedback,
  reviewFeedback,
} from "./change-feedback.ts";
export {
  FEEDBACK_SHAPE,
  FEEDBACK_SUMMARY_SHAPE,
  FeedbackSums,
  StoredFeedback,
  wireFeedback,
} from "./feedback-item.ts";
export { feedbackSummaries, type JudgedAs, runsJudgedAs } from "./feedback-summaries.ts";
export { type FeedbackQuery, listFeedback } from "./list-feedback.ts";
export { commentsOn, feedbackOfRun, getFeedback, removeFeedbackOfRun } from "./read-feedback.ts";
