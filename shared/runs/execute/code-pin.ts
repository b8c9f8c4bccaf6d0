import { randomUUID } from "node:crypto";
import type { SQSEvent } from "aws-lambda";
import type { RunMessage } from "../../queue/run-queue.ts";
import { type FunctionVersions, UNPUBLISHED } from "../../runtime/functions/function-versions.ts";
import type { Log } from "../../runtime/log.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import type { Fence } from "../../stores/jobs/move-job.ts";

/**
 * Keeps a run on the code that it began with. The job holds the version of the worker that claimed it first, and a claim
 * or a take-over by another version is refused by the same conditional write that decides between two workers.
 *
 *   queue ─▶ worker, version 8 ── claim ──▶ refused: the run began with version 7
 *                 │
 *                 ├─ version 7 is kept ──▶ invoked with the same message ─▶ claims, goes on
 *                 └─ version 7 is gone ──▶ claims; goes on if the component's revision is the same, else the run fails
 *
 * An invocation that is lost is found by the sweeper like any lost message.
 */
export type CodePin = {
  /** The version that this worker runs. */
  readonly version: string;
  /** Has another version process a message. @returns false when that version is gone */
  readonly passOn: (version: string, message: RunMessage) => Promise<boolean>;
};

type Needs = { readonly pin?: CodePin | undefined; readonly log: Pick<Log, "warn"> };

/** What a version is invoked with: one message, as the event source would bring it. */
type PassedOn = Pick<SQSEvent, "Records"> & { readonly passed_on: true };

/** @returns undefined where runs are not pinned: they are switched off, or this code is not a published version */
export function codePin(
  env: { readonly RUN_PIN_DAYS: number; readonly AWS_LAMBDA_FUNCTION_VERSION: string },
  versions: Pick<FunctionVersions, "start">,
): CodePin | undefined {
  const version = env.AWS_LAMBDA_FUNCTION_VERSION;
  if (env.RUN_PIN_DAYS === 0 || version === UNPUBLISHED) return undefined;
  return { version, passOn: (to, message) => versions.start(to, passedOn(message)) };
}

const passedOn = (message: RunMessage): string => {
  const record = { messageId: randomUUID(), body: JSON.stringify(message) };
  return JSON.stringify({ passed_on: true, Records: [record] });
};

/**
 * Whether the worker was invoked for this message alone. A version that is not the live one must not take further
 * messages: it would begin new runs with old code.
 */
export const isPassedOn = (event: SQSEvent | PassedOn): event is PassedOn => "passed_on" in event;

/** How a claim or a take-over is fenced: by this worker's version, where runs are pinned. */
export const pinnedBy = ({ pin }: Pick<Needs, "pin">): Pick<Fence, "code"> =>
  pin ? { code: { version: pin.version } } : {};

/**
 * Passes a job on to the version that it began with.
 *
 * @returns the fence for continuing it here, when that version is gone; undefined when there is nothing to do here
 */
export async function passOnOrMigrate(
  { pin, log }: Needs,
  { id, user_id, code_version }: StoredJob,
  hop?: RunMessage["hop"],
): Promise<Pick<Fence, "code"> | undefined> {
  if (!pin || code_version === undefined || code_version === pin.version) return undefined;
  if (await pin.passOn(code_version, { job_id: id, user_id, ...(hop && { hop }) })) return undefined;
  log.warn("the code that a run began with is gone", { job_id: id, code_version, version: pin.version });
  return { code: { version: pin.version, migrates: true } };
}
