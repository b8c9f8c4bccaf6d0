// Generated from the route table by `npm run routes`; do not edit.
export { createSession } from "./create-session.ts";
export { getSession } from "./get-session.ts";
export { getSessionMedium } from "./get-session-medium.ts";
export { getSessionRun } from "./get-session-run.ts";
export { listRunPreviews } from "./list-run-previews.ts";
export { listSessionRuns } from "./list-session-runs.ts";
export { listSessions } from "./list-sessions.ts";
export { removeSession } from "./remove-session.ts";
export { removeSessions } from "./remove-sessions.ts";
export { renameSession } from "./rename-session.ts";
export { updateSession } from "./update-session.ts";
