/** The face of the table of feedback; every other file is internal. */
export {
  type Given,
  type GivenFeedback,
  giveFeedback,
  type JudgedSession,
  removeFeedback,
  reviewFeedback,
} from "./change-feedback.ts";
export { commentsOn } from "./comments-on.ts";
export {
  FEEDBACK_SHAPE,
  FEEDBACK_SUMMARY_SHAPE,
  FeedbackSums,
  StoredFeedback,
  wireFeedback,
} from "./feedback-item.ts";
export { feedbackSummaries } from "./feedback-summaries.ts";
export { type FeedbackQuery, listFeedback } from "./list-feedback.ts";
export { feedbackOfRun, getFeedback } from "./read-feedback.ts";
export { removeFeedbackOfRun } from "./remove-feedback-of-run.ts";
export { type JudgedAs, runsJudgedAs } from "./runs-judged-as.ts";
