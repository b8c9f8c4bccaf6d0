import type { Db } from "../db.ts";
import { sessionObjects } from "../objects/object-prefix.ts";
import { packJson, unpackJson } from "../objects/packed.ts";
import { spillBytes } from "../objects/spill.ts";
import { unspillBytes } from "../objects/unspill.ts";
import type { StoredJob } from "./job-item.ts";

/** JSON of a job's payload up to this many bytes stays in its item: a list reads a hundred jobs. */
const MAX_PLAIN_PAYLOAD_BYTES = 32_000;
const PREVIEW_CHARS = 1_000;

/** A job that fits into its item: a large payload becomes a preview that is marked as truncated. */
export async function spillJob(db: Db, job: StoredJob): Promise<StoredJob> {
  const { payload } = job;
  if (Buffer.byteLength(JSON.stringify(payload)) <= MAX_PLAIN_PAYLOAD_BYTES) return job;
  const prefix = sessionObjects(job.owner, job.session_id);
  const payload_large = await spillBytes(db, prefix, await packJson(payload), MAX_PLAIN_PAYLOAD_BYTES);
  const preview = {
    ...payload,
    input: payload.input.slice(0, PREVIEW_CHARS),
    kwargs: {},
    ...(payload.continue && { continue: previewOf(payload.continue) }),
    truncated: true as const,
  };
  return { ...job, payload: preview, payload_large };
}

/** The preview shows that there was a continuation. */
const previewOf = ({ continue_from }: NonNullable<StoredJob["payload"]["continue"]>) => ({
  updated_tools: [],
  input: null,
  continue_from,
  kwargs: {},
});

/** A job with its whole payload. @throws ServiceError when it is missing or damaged */
export async function wholeJob(db: Db, stored: StoredJob): Promise<StoredJob> {
  const { payload_large, ...job } = stored;
  if (!payload_large) return job;
  return { ...job, payload: await unpackJson<StoredJob["payload"]>(await unspillBytes(db, payload_large)) };
}
