import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { addDatasetVersion } from "../../shared/stores/evals/index.ts";
import { casesOfFile } from "./cases-of-file.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleDataset } from "./visible-dataset.ts";
import { wireDataset } from "./wire-dataset.ts";

/** Adds a version with the cases of a file. Evaluations keep those of the version that they began with. */
export const createDatasetVersion: Handler<
  typeof evalRoutes.createDatasetVersion,
  Pick<EvalsDeps, "db" | "clock" | "newId">
> = async ({ params, query, body, principal }, { db, clock, newId }) => {
  const seen = await visibleDataset(db, principal, params.dataset_id, query);
  const added = await addDatasetVersion(db, seen, await casesOfFile(body.file, newId), epochSeconds(clock));
  if (added) return wireDataset(added);
  throw new ServiceError(
    "CONFLICT",
    `dataset ${seen.id} changed at the same moment; look at it, and try again`,
  );
};
