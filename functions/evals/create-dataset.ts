import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  datasetId,
  type StoredDataset,
  createDataset as storeDataset,
} from "../../shared/stores/evals/index.ts";
import { casesOfFile } from "./cases-of-file.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { evalOwner } from "./visible-eval.ts";
import { wireDataset } from "./wire-dataset.ts";

type Needs = Pick<EvalsDeps, "db" | "clock" | "newId">;

/** Stores the cases of a file under a name, as its version 1; without a file it has none yet. */
export const createDataset: Handler<typeof evalRoutes.createDataset, Needs> = async (
  { body, principal, query },
  { db, clock, newId },
) => {
  evalOwner(principal, query);
  const cases = body.file === undefined ? [] : await casesOfFile(body.file, newId);
  const now = epochSeconds(clock);
  const record: StoredDataset = {
    id: datasetId(newId),
    name: body.name,
    description: body.description ?? null,
    user_id: callerOf(principal).user_id,
    version: 1,
    cases: cases.length,
    created_at: now,
    updated_at: now,
  };
  await storeDataset(db, record, cases);
  return wireDataset(record);
};
