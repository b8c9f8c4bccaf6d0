import { isoTime } from "../../shared/domain/iso-time.ts";
import type { EvalDataset } from "../../shared/schemas/evals/eval-dataset.ts";
import type { StoredDataset } from "../../shared/stores/evals/index.ts";

export const wireDataset = ({
  removed_at: _,
  erasures: _erasures,
  created_at,
  updated_at,
  ...record
}: StoredDataset): EvalDataset => ({
  ...record,
  created_at: isoTime(created_at),
  updated_at: isoTime(updated_at),
});
