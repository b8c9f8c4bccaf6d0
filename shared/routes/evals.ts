import * as v from "valibot";
import { AddCasesBody, AddedCases, ChangeCasesBody } from "../schemas/evals/dataset-case.ts";
import { CreateEvalBody, RemoveEvalsBody, UpdateEvalBody } from "../schemas/evals/eval-bodies.ts";
import { EvalComparison } from "../schemas/evals/eval-comparison.ts";
import {
  CreateDatasetForm,
  CreateDatasetVersionForm,
  EvalDataset,
  EvalDatasetVersion,
} from "../schemas/evals/eval-dataset.ts";
import { EvalCase, EvalRun, EvalType } from "../schemas/evals/eval-run.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { UnprocessableBody } from "../schemas/values/error-body.ts";
import { integerText, optionalText } from "../schemas/values/fields.ts";
import { JSON_LINES } from "../schemas/values/json-lines-type.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { only, place, sorting } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const DatasetParams = v.object({ dataset_id: idOf("the dataset") });
const EvalParams = v.object({ eval_run_id: idOf("the evaluation") });

/** Types separated by commas. */
const EvalTypes = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((type) => type.trim())),
  v.array(EvalType),
  v.metadata({
    jsonSchema: {
      type: "string",
      pattern: `^(${EvalType.options.join("|")})(,(${EvalType.options.join("|")}))*$`,
      description: "Types, separated by commas",
    },
  }),
);

/** Two ids separated by a comma. */
const TwoIds = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").map((id) => id.trim())),
  v.check((ids) => ids.length === 2 && ids.every((id) => id !== ""), "two ids, separated by a comma"),
  v.metadata({
    jsonSchema: {
      type: "string",
      pattern: "^[^,]+,[^,]+$",
      description: "Ids of two evaluations, separated by a comma",
    },
  }),
);

/** @source docs/interface/evals.md 1.1, 1.2 */
export const evalRoutes = {
  listEvals: {
    method: "GET",
    path: "/eval-runs",
    scopes: ["evals:read"],
    query: v.object({
      ...place,
      agent_id: only(optionalText(), "agent"),
      team_id: only(optionalText(), "team"),
      workflow_id: only(optionalText(), "workflow"),
      model_id: only(optionalText(), "model"),
      run_id: only(optionalText(), "run, judged after it had ended"),
      type: meaning(v.optional(v.picklist(["agent", "team", "workflow"])), "Only of components of this kind"),
      eval_types: v.optional(EvalTypes),
      ...pageQuery(undefined, { firstPage: 0 }),
      ...sorting("created_at"),
    }),
    response: pageOf(EvalRun),
    example: { query: { agent_id: "assistant", eval_types: "reliability" } },
    summary: "List evaluations, the newest first",
    description:
      "The default order costs the page alone, however many evaluations there are; any other reads all that match. At most 100 come on one page.",
  },
  createEval: {
    method: "POST",
    path: "/eval-runs",
    scopes: ["evals:write"],
    query: v.object(place),
    body: { json: CreateEvalBody },
    response: EvalRun,
    also: { 202: EvalRun },
    example: {
      body: {
        eval_type: "reliability",
        name: "Asks the clock",
        agent_id: "assistant",
        input: "[[tool:get_time {}]]",
        expected_tool_calls: ["get_time"],
      },
    },
    summary: "Evaluate an agent or a team",
    description:
      "Takes the scope to run the component as well. Answers 200 once the evaluation has ended, or 202 after 25 seconds, with background at once: it goes on durably then, and is looked at by its id. With cases, several inputs are one evaluation.",
  },
  compareEvals: {
    method: "GET",
    path: "/eval-runs/compare",
    scopes: ["evals:read"],
    query: v.object({ ...place, ids: TwoIds }),
    response: EvalComparison,
    strangers: 404,
    summary: "Compare two evaluations of one type, case by case",
    description:
      "Says of each case whether the second evaluation did better, worse or the same, and how scores, times, tokens and cost differ. Cases belong together by name, or else by input. A case that failed is worse than any that did not.",
    refuses: [400, 404],
  },
  getEval: {
    method: "GET",
    path: "/eval-runs/{eval_run_id}",
    scopes: ["evals:read"],
    params: EvalParams,
    query: v.object(place),
    response: EvalRun,
    summary: "Show one evaluation",
  },
  listEvalCases: {
    method: "GET",
    path: "/eval-runs/{eval_run_id}/cases",
    scopes: ["evals:read"],
    params: EvalParams,
    query: v.object({ ...place, ...pageQuery(100) }),
    response: pageOf(EvalCase),
    summary: "List the cases of an evaluation with the result of each, as far as it is through",
  },
  updateEval: {
    method: "PATCH",
    path: "/eval-runs/{eval_run_id}",
    scopes: ["evals:write"],
    params: EvalParams,
    query: v.object(place),
    body: { json: UpdateEvalBody },
    response: EvalRun,
    example: { body: { name: "Asks the clock first" } },
    summary: "Rename an evaluation",
  },
  removeEvals: {
    method: "DELETE",
    path: "/eval-runs",
    scopes: ["evals:delete"],
    query: v.object(place),
    body: { json: RemoveEvalsBody },
    status: 204,
    response: null,
    summary: "Delete several evaluations; those under way stop",
    description: "The sessions of their runs stay. Ids that are unknown, or another user's, are skipped.",
  },
  listDatasets: {
    method: "GET",
    path: "/eval-datasets",
    scopes: ["evals:read"],
    query: v.object({ ...place, ...pageQuery(100) }),
    response: pageOf(EvalDataset),
    summary: "List datasets, the newest first",
  },
  createDataset: {
    method: "POST",
    path: "/eval-datasets",
    scopes: ["evals:write"],
    query: v.object(place),
    body: { form: CreateDatasetForm },
    status: 201,
    response: EvalDataset,
    example: { body: { name: "Questions of customers" } },
    summary: "Store the cases of a CSV or JSON file under a name, as version 1",
    description:
      "At most 500 cases and 4 MB; without a file it has no cases yet. CSV: the first line names the columns, which are the members of a case; expected_tool_calls are names with commas between. JSON: an array of cases. A file with faults is refused with 422, and `faults` lists them by row and column.",
    refuses: [422],
    refusal: UnprocessableBody,
  },
  getDataset: {
    method: "GET",
    path: "/eval-datasets/{dataset_id}",
    scopes: ["evals:read"],
    params: DatasetParams,
    query: v.object(place),
    response: EvalDataset,
    summary: "Show one dataset",
  },
  listDatasetCases: {
    method: "GET",
    path: "/eval-datasets/{dataset_id}/cases",
    scopes: ["evals:read"],
    params: DatasetParams,
    query: v.object({
      ...place,
      version: meaning(v.optional(integerText({ min: 1 })), "Which version; the newest one unless given"),
      ...pageQuery(500, { limit: "100" }),
    }),
    response: EvalDatasetVersion,
    summary: "Show the cases of one version of a dataset",
  },
  addDatasetCases: {
    method: "POST",
    path: "/eval-datasets/{dataset_id}/cases",
    scopes: ["evals:write"],
    params: DatasetParams,
    query: v.object(place),
    body: { json: AddCasesBody },
    status: 201,
    response: AddedCases,
    also: { 200: AddedCases },
    example: { body: { filter: { feedback: "thumb:0" }, most: 100, expected: "none", split: "train" } },
    summary: "Add a version with cases made of runs",
    description:
      "Takes the scope to read the runs' components; whoever is no admin and has no feedback:everybody takes its own runs. A run makes one case at most, and `skipped` says of which none was made, and why; where none was added it answers 200, without a new version. A filter looks at the 10,000 newest runs that it may let through. When a session is deleted, its cases are erased in all versions, and in the plans, results and sessions of evaluations that had them; one under way fails. Personal data becomes tokens such as <email_1>, equal for equal values of a case; IBANs and card numbers are known by their check digits. Of other users' runs all five kinds are taken out unless redact says otherwise.",
    refuses: [409, 422],
  },
  changeDatasetCases: {
    method: "PATCH",
    path: "/eval-datasets/{dataset_id}/cases",
    scopes: ["evals:write"],
    params: DatasetParams,
    query: v.object(place),
    body: { json: ChangeCasesBody },
    response: EvalDataset,
    example: { body: { base_version: 1, set: [{ input: "Where is my order?", tags: ["orders"] }] } },
    summary: "Add a version with some cases changed, added or left out",
    description:
      "409 where base_version is not the newest version. Members that `set` gives take the place of those of the case with its id, null takes one away; without an id it is a new case. An erased case can only be removed.",
    refuses: [409, 422],
  },
  exportDataset: {
    method: "GET",
    path: "/eval-datasets/{dataset_id}/export",
    scopes: ["evals:read"],
    params: DatasetParams,
    query: v.object({
      ...place,
      version: meaning(v.optional(integerText({ min: 1 })), "Which version; the newest one unless given"),
      split: meaning(v.optional(v.picklist(["train", "test"])), "Only cases of this split"),
      format: meaning(
        v.optional(v.picklist(["jsonl", "openai", "sft"]), "jsonl"),
        "jsonl: a case a line; openai: as `item`, for OpenAI's evaluations; sft: `messages` alone, for training",
      ),
    }),
    response: { mediaType: JSON_LINES },
    summary: "Export the cases of one version as lines of JSON",
    description:
      "The headers x-cases, x-left-out-erased, x-left-out-tool-runs and x-left-out-without-answer count the lines, and what is not among them: erased cases, and with sft those of runs that called tools, and those without an expected output.",
  },
  createDatasetVersion: {
    method: "POST",
    path: "/eval-datasets/{dataset_id}/versions",
    scopes: ["evals:write"],
    params: DatasetParams,
    query: v.object(place),
    body: { form: CreateDatasetVersionForm },
    status: 201,
    response: EvalDataset,
    summary: "Add a version to a dataset; evaluations keep the one that they began with",
    refuses: [409, 422],
    refusal: UnprocessableBody,
  },
  removeDataset: {
    method: "DELETE",
    path: "/eval-datasets/{dataset_id}",
    scopes: ["evals:delete"],
    params: DatasetParams,
    query: v.object(place),
    status: 204,
    response: null,
    summary: "Delete a dataset with all of its versions; evaluations that used it stay",
  },
} as const satisfies RouteTable;
