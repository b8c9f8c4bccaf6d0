import * as v from "valibot";

/** A validation error with its path: `messages.0.role: must be user`. @param whole  the path of the value itself */
export const issueText = (issue: v.BaseIssue<unknown>, whole: string): string =>
  `${v.getDotPath(issue) ?? whole}: ${issue.message}`;
