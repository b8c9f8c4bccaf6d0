import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { EVAL_TABLE, requireDatabase } from "../../shared/domain/databases/database.ts";
import { notFound, type ServiceError } from "../../shared/errors.ts";
import { planOfEval } from "../../shared/evals/index.ts";
import type { EvalPlan } from "../../shared/schemas/evals/eval-plan.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getEval, type StoredEval } from "../../shared/stores/evals/index.ts";

type Place = Parameters<typeof requireDatabase>[0];

/**
 * Whose evaluations a caller may see.
 *
 * @returns undefined for everybody's
 * @throws  ServiceError NOT_FOUND or BAD_REQUEST for another database
 * @source  docs/interface/evals.md 1.4
 */
export function evalOwner(principal: Principal, place: Place): string | undefined {
  requireDatabase(place, EVAL_TABLE);
  const caller = callerOf(principal);
  return caller.seesAll ? undefined : caller.user_id;
}

/** An evaluation that the caller may see. @throws ServiceError NOT_FOUND, with one text for every cause */
export async function visibleEval(
  db: Db,
  principal: Principal,
  id: string,
  place: Place,
): Promise<StoredEval> {
  const owner = evalOwner(principal, place);
  const record = await getEval(db, id);
  if (!record || (owner !== undefined && record.user_id !== owner)) throw noEval(id);
  return record;
}

export const noEval = (id: string): ServiceError => notFound("evaluation", id);

/** The plan of an evaluation. @throws ServiceError NOT_FOUND where it was removed meanwhile */
export async function planOf(db: Db, record: StoredEval): Promise<EvalPlan> {
  const plan = await planOfEval(db, record);
  if (!plan) throw noEval(record.id);
  return plan;
}
