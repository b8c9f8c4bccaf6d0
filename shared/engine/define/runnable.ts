import * as v from "valibot";
import { issueText } from "../../schemas/values/issue-text.ts";
import type { Agent } from "./agent.ts";
import type { Team } from "./team.ts";
import type { Workflow } from "./workflow.ts";

/** What can be run. */
export type Runnable = Agent | Team | Workflow;
export type RunnableKind = Runnable["kind"];

/**
 * The validation error of a message to an agent, a team or a workflow that has an input schema.
 *
 * @returns undefined when the message is valid, or when any text is taken
 * @source docs/interface/runs.md 3.4
 */
export function inputError({ kind, input_schema }: Runnable, message: string): string | undefined {
  if (!input_schema) return undefined;
  const parsed = v.safeParse(input_schema, jsonOf(message));
  if (parsed.success) return undefined;
  const errors = parsed.issues.map((issue) => issueText(issue, "message"));
  return `The message does not fit the ${kind}'s input schema: ${errors.join("; ")}`;
}

/** Text that is not JSON is validated as it is, so that a schema of plain text can match. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
