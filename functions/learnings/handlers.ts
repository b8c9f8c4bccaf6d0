// Generated from the route table by `npm run routes`; do not edit.
export { createLearning } from "./create-learning.ts";
export { getLearning } from "./get-learning.ts";
export { listLearningUsers } from "./list-learning-users.ts";
export { listLearnings } from "./list-learnings.ts";
export { removeLearning } from "./remove-learning.ts";
export { removeUserLearnings } from "./remove-user-learnings.ts";
export { updateLearning } from "./update-learning.ts";
