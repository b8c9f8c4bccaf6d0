import { ServiceError } from "../../shared/errors.ts";
import { compareEvals as compare, type WholeEval } from "../../shared/evals/index.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { listTrials } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { planOf, visibleEval } from "./visible-eval.ts";

type Request = Parameters<typeof compareEvals>[0];

/** How the second of two evaluations differs from the first, case by case. */
export const compareEvals: Handler<typeof evalRoutes.compareEvals, Pick<EvalsDeps, "db">> = async (
  request,
  deps,
) => {
  const [first, second] = await Promise.all(request.query.ids.map((id) => wholeEval(request, deps, id)));
  if (!first || !second)
    throw new ServiceError("BAD_REQUEST", "ids are two evaluations, separated by a comma");
  const types = [first.record.eval_type, second.record.eval_type];
  if (types[0] !== types[1]) {
    throw new ServiceError(
      "BAD_REQUEST",
      `these are of the types ${types.join(" and ")}: only evaluations of one type can be compared`,
    );
  }
  const compared = compare(first, second);
  refuseTooLarge(compared.cases, "The cases");
  return compared;
};

async function wholeEval(
  { principal, query }: Request,
  { db }: Pick<EvalsDeps, "db">,
  id: string,
): Promise<WholeEval> {
  const record = await visibleEval(db, principal, id, query);
  const [plan, trials] = await Promise.all([planOf(db, record), listTrials(db, id, 0, record.trials)]);
  return { record, plan, trials };
}
