import { callerOf } from "../../shared/auth/caller.ts";
import { FEEDBACK_OF_ALL, hasFeedbackScope } from "../../shared/auth/scopes/sees-all-feedback.ts";
import { decodeCursor, encodeCursor } from "../../shared/http/cursor.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { jsonLines } from "../../shared/http/json-lines.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { feedbackRoutes } from "../../shared/routes/feedback.ts";
import { EVERYBODY, noteOwner } from "../../shared/runtime/audit-scope.ts";
import { listFeedback as findFeedback, wireFeedback } from "../../shared/stores/feedback/index.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";

/** @throws ServiceError BAD_REQUEST for a cursor that is not of this list */
export const listFeedback: Handler<typeof feedbackRoutes.listFeedback, Pick<FeedbackDeps, "db">> = async (
  { query, principal },
  { db },
) => {
  const { limit, cursor, format, ...filter } = query;
  const { user_id, ...rest } = filter;
  const caller = callerOf(principal);
  const seesAll = caller.seesAll || hasFeedbackScope(principal, FEEDBACK_OF_ALL);
  // A credential without a subject is an admin's.
  const owner = seesAll ? user_id : (caller.user_id ?? undefined);
  noteOwner(owner ?? EVERYBODY);
  const after_place = cursor === undefined ? undefined : decodeCursor(cursor, filter);
  const { feedback, next_place } = await findFeedback(db, { ...rest, owner, limit, after_place });
  const data = feedback.map(wireFeedback);
  refuseTooLarge(data, "The feedback of this page");
  const next_cursor = next_place === undefined ? null : encodeCursor(next_place, filter);
  return format === "json" ? { data, next_cursor } : jsonLines(data, next_cursor);
};
