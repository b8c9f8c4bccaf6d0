import * as v from "valibot";

/** What is wrong, and where: `messages.0.role: must be user`. @param whole  says where, if it is no member that is wrong */
export const issueText = (issue: v.BaseIssue<unknown>, whole: string): string =>
  `${v.getDotPath(issue) ?? whole}: ${issue.message}`;
