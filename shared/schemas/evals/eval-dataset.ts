import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { maxChars } from "../values/max-chars.ts";
import { uploadedFiles } from "../values/uploaded-file.ts";
import { DatasetCase } from "./dataset-case.ts";

/** Cases under a name, which several evaluations share. Its versions change by erasure alone. */
export const EvalDataset = v.object({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  /** The newest version, and how many cases that has. Versions are counted from 1. */
  version: v.number(),
  cases: v.number(),
  /** RFC 3339. */
  created_at: v.string(),
  updated_at: v.string(),
});
export type EvalDataset = v.InferOutput<typeof EvalDataset>;

/** One version of a dataset, with one page of its cases. */
export const EvalDatasetVersion = v.object({
  dataset_id: v.string(),
  version: v.number(),
  /** How many it has in all. */
  cases: v.number(),
  data: v.array(DatasetCase),
});

/** Bytes of an uploaded file: a request carries 6 MB at most. */
export const MAX_DATASET_BYTES = 4_000_000;

/** A version takes one, which the handler says: a form without files may be urlencoded. */
const file = meaning(
  uploadedFiles(),
  "The cases: CSV whose first line names the columns, or JSON, an array of objects. The names are those of a case: input, expected_output, …",
);

export const CreateDatasetForm = v.object({
  name: meaning(v.pipe(v.string(), v.minLength(1), maxChars(255)), "What the dataset is called"),
  description: meaning(v.optional(v.pipe(v.string(), maxChars(1000))), "What its cases are about"),
  file,
});

export const CreateDatasetVersionForm = v.object({ file });
