// Generated from the route table by `npm run routes`; do not edit.
export { giveFeedback } from "./give-feedback.ts";
export { listFeedback } from "./list-feedback.ts";
export { listRunFeedback } from "./list-run-feedback.ts";
export { removeFeedback } from "./remove-feedback.ts";
export { reviewFeedback } from "./review-feedback.ts";
