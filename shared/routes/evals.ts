import * as v from "valibot";
import { CreateEvalBody, RemoveEvalsBody, UpdateEvalBody } from "../schemas/evals/eval-bodies.ts";
import { EvalCase, EvalRun, EvalType } from "../schemas/evals/eval-run.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { optionalText } from "../schemas/values/fields.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { only, place, sorting } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

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

/** @source contract, metrics-evals-traces B.1; `/cases` is ours */
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
      type: meaning(v.optional(v.picklist(["agent", "team", "workflow"])), "Only of components of this kind"),
      eval_types: v.optional(EvalTypes),
      ...pageQuery(undefined, { firstPage: 0 }),
      ...sorting("created_at"),
    }),
    response: pageOf(EvalRun),
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
    summary: "Evaluate an agent or a team",
    description:
      "Takes the scope to run the component besides. Answers 200 once the evaluation has ended, or 202 after 25 seconds, with background at once: it goes on durably then, and is looked at by its id. With cases, several inputs are one evaluation.",
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
    summary: "List the cases of an evaluation with what each came to, as far as it is through",
  },
  updateEval: {
    method: "PATCH",
    path: "/eval-runs/{eval_run_id}",
    scopes: ["evals:write"],
    params: EvalParams,
    query: v.object(place),
    body: { json: UpdateEvalBody },
    response: EvalRun,
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
    description: "The sessions of their runs stay. Ids that are unknown, or somebody else's, are skipped.",
  },
} as const satisfies RouteTable;
