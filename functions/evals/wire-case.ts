import type { DatasetCase } from "../../shared/schemas/evals/dataset-case.ts";
import type { StoredCase } from "../../shared/stores/evals/index.ts";

/** A case as the wire shows it. */
export const wireCase = ({ source_key: _, erased, ...one }: StoredCase): DatasetCase =>
  erased ? { id: one.id, erased } : one;
