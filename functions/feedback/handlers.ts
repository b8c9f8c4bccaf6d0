// Generated from the route table by `npm run routes`; do not edit.
export { createFeedbackLinks } from "./create-feedback-links.ts";
export { getFeedbackForm } from "./get-feedback-form.ts";
export { giveFeedback } from "./give-feedback.ts";
export { listFeedback } from "./list-feedback.ts";
export { listRunFeedback } from "./list-run-feedback.ts";
export { removeFeedback } from "./remove-feedback.ts";
export { reviewFeedback } from "./review-feedback.ts";
export { submitFeedback } from "./submit-feedback.ts";
