import { ServiceError } from "../../shared/errors.ts";
import { readDataset } from "../../shared/evals/index.ts";
import { MAX_DATASET_BYTES } from "../../shared/schemas/evals/eval-dataset.ts";
import type { UploadedFile } from "../../shared/schemas/values/uploaded-file.ts";
import type { StoredCase } from "../../shared/stores/evals/index.ts";

/**
 * The cases of an uploaded file.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE, or UNPROCESSABLE with a fault for each row and column that is wrong
 */
export async function casesOfFile(
  files: readonly UploadedFile[] | undefined,
  newId: () => string,
): Promise<readonly StoredCase[]> {
  const [file, more] = files ?? [];
  if (!file || more) throw new ServiceError("UNPROCESSABLE", "file is required, once");
  if (file.bytes.length > MAX_DATASET_BYTES) {
    throw new ServiceError(
      "PAYLOAD_TOO_LARGE",
      `The file has ${file.bytes.length} bytes, and may have ${MAX_DATASET_BYTES}; make several datasets of it`,
    );
  }
  const { cases, faults } = await readDataset(file);
  const [first] = faults;
  if (!first) return cases.map((one) => ({ ...one, id: `case_${newId()}` }));
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more, see faults)` : "";
  const where = first.path === "" ? "" : `${first.path}: `;
  throw new ServiceError("UNPROCESSABLE", `The file cannot be used. ${where}${first.message}${others}`, {
    faults,
  });
}
