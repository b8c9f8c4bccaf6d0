import type { Principal } from "../../shared/auth/principal.ts";
import { notFound, type ServiceError } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getDataset, type StoredDataset } from "../../shared/stores/evals/index.ts";
import { evalOwner } from "./visible-eval.ts";

/** A dataset that the caller may see: its own, or for an admin everybody's. @throws ServiceError NOT_FOUND */
export async function visibleDataset(
  db: Db,
  principal: Principal,
  id: string,
  place: Parameters<typeof evalOwner>[1],
): Promise<StoredDataset> {
  const owner = evalOwner(principal, place);
  const record = await getDataset(db, id);
  if (!record || (owner !== undefined && record.user_id !== owner)) throw noDataset(id);
  return record;
}

export const noDataset = (id: string): ServiceError => notFound("dataset", id);
