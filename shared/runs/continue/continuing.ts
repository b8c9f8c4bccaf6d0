import * as v from "valibot";
import type { ContinueFrom } from "../../domain/runs/message-cut.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import type { ContinueRequest } from "../../engine/pause/continuation-of.ts";
import { ServiceError } from "../../errors.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { RequirementAnswer, StepAnswer, ToolAnswer } from "../../schemas/runs/pause-answers.ts";
import type { ContinueRunForm } from "../../schemas/runs/run-forms.ts";
import { readJson } from "../../schemas/values/json-values.ts";
import { isStorable, STORABLE } from "../../schemas/values/storable.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { KeyedRequest, RunsRequest } from "../component.ts";
import type { FramedRequest } from "../foreground/event-frames.ts";

/** A continuation that passed every check that does not depend on the run's state. */
export type Continuing = {
  readonly request: RunsRequest<typeof runRoutes.continueAgentRun> & FramedRequest & KeyedRequest;
  readonly form: ContinueForm;
  readonly runnable: Runnable;
  readonly run: StoredRun;
  /** Of the run's queue job, when it has one. */
  readonly job: StoredJob | undefined;
  /** Those that the run's calls name. */
  readonly approvals: readonly StoredApproval[];
};

/** A continuation's parsed form, with its required session. */
export type ContinueForm = ContinueRequest & {
  readonly session_id: string;
  readonly requirements: readonly RequirementAnswer[];
  readonly step_requirements: readonly StepAnswer[];
};

/**
 * @throws ServiceError BAD_REQUEST for what this wire refuses with 400 and not with 422: no session, malformed answers,
 *         fields that contradict each other
 */
export function readContinueForm(form: ContinueRunForm): ContinueForm {
  const { session_id, fork, regenerate } = form;
  if (session_id === undefined) {
    throw refused("session_id is required: name the session that the run belongs to");
  }
  if (regenerate && fork) throw refused("regenerate forks by itself; leave fork out");
  if (form.input !== undefined && form.additional_instructions !== undefined) {
    throw refused("input and additional_instructions mean the same; give one of them");
  }
  if (form.replace_original !== undefined && !regenerate) {
    throw refused("replace_original says something of regenerate=true only");
  }
  return {
    session_id,
    tools: readAnswers("tools", ToolAnswer, form.tools),
    requirements: readAnswers("requirements", RequirementAnswer, form.requirements),
    step_requirements: readAnswers("step_requirements", StepAnswer, form.step_requirements),
    input: form.input ?? form.additional_instructions,
    continue_from: readContinueFrom(form.continue_from),
    fork,
    regenerate,
    replace_original: form.replace_original ?? true,
  };
}

function readAnswers<S extends v.GenericSchema>(
  field: string,
  Answer: S,
  text: string | undefined,
): v.InferOutput<S>[] {
  if (text === undefined) return [];
  const parsed = v.safeParse(v.array(Answer), parseJson(field, text));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw refused(
    `${field} must be a JSON array of what the run shows there: ${place ? `${place}: ` : ""}${issue.message}`,
  );
}

function parseJson(field: string, text: string): unknown {
  try {
    const value = readJson(text);
    if (isStorable(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(`${field} is not valid JSON`);
  }
  throw refused(`${field} cannot be kept: ${STORABLE}`);
}

function readContinueFrom(text = "end"): ContinueFrom {
  if (text === "end" || text === "last_user") return text;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw refused("continue_from must be end, last_user or a message index");
}

const refused = (detail: string) => new ServiceError("BAD_REQUEST", detail);

export const changedConcurrently = ({ run_id }: StoredRun): ServiceError =>
  new ServiceError(
    "CONFLICT",
    `run ${run_id} was continued or cancelled by another request at the same moment`,
  );
