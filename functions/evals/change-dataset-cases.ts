import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { ChangeCasesBody } from "../../shared/schemas/evals/dataset-case.ts";
import { MAX_CASES } from "../../shared/schemas/evals/eval-bodies.ts";
import { MAX_DATASET_BYTES } from "../../shared/schemas/evals/eval-dataset.ts";
import { addDatasetVersion, getDatasetCases, type StoredCase } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleDataset } from "./visible-dataset.ts";
import { wireDataset } from "./wire-dataset.ts";

type Needs = Pick<EvalsDeps, "db" | "clock" | "newId">;

/**
 * Adds a version with changed cases. The version that the change was made of must be the newest.
 *
 * @throws ServiceError CONFLICT where it is not, also where another change is quicker
 */
export const changeDatasetCases: Handler<typeof evalRoutes.changeDatasetCases, Needs> = async (
  { params, query, body, principal },
  { db, clock, newId },
) => {
  const seen = await visibleDataset(db, principal, params.dataset_id, query);
  if (body.base_version !== seen.version) throw isOlder(seen.id, body.base_version);
  const before = await getDatasetCases(db, seen.id, seen.version);
  if (!before) throw notFound("version", `${seen.version} of dataset ${seen.id}`);
  const cases = changed(before, body, newId);
  if (cases.length > MAX_CASES || Buffer.byteLength(JSON.stringify(cases)) > MAX_DATASET_BYTES) {
    throw new ServiceError(
      "UNPROCESSABLE",
      `a dataset may have ${MAX_CASES} cases and ${MAX_DATASET_BYTES} bytes; this would be ${cases.length}`,
    );
  }
  const added = await addDatasetVersion(db, seen, cases, epochSeconds(clock));
  if (!added) throw isOlder(seen.id, body.base_version);
  return wireDataset(added);
};

const isOlder = (id: string, version: number): ServiceError =>
  new ServiceError(
    "CONFLICT",
    `version ${version} of dataset ${id} is not the newest, or it was just changed`,
  );

function changed(
  before: readonly StoredCase[],
  { set, remove }: ChangeCasesBody,
  newId: () => string,
): StoredCase[] {
  const byId = new Map(before.map((one) => [one.id, one]));
  for (const id of remove) if (!byId.delete(id)) throw noCase(id);
  for (const { id, ...given } of set) {
    const was = id === undefined ? undefined : byId.get(id);
    if (id !== undefined && !was) throw noCase(id);
    if (was?.erased) throw new ServiceError("UNPROCESSABLE", `case ${id} is erased, and can only be removed`);
    const key = id ?? `case_${newId()}`;
    byId.set(key, changedCase({ input: "", ...was, id: key }, given));
  }
  return [...byId.values()];
}

const noCase = (id: string): ServiceError =>
  new ServiceError("UNPROCESSABLE", `there is no case ${id} in the newest version`);

/** Null takes a member away. */
function changedCase(
  was: StoredCase,
  { split, input, ...given }: Omit<ChangeCasesBody["set"][number], "id">,
): StoredCase {
  const { split: before, ...rest } = was;
  const kept = split === undefined ? before : (split ?? undefined);
  const all = { ...rest, ...given, ...(input !== undefined && { input }) };
  const present = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null && value !== undefined),
  );
  return { ...present, id: was.id, input: all.input, ...(kept && { split: kept }) };
}
