import * as v from "valibot";
import { runTarget } from "../../shared/domain/schedules/run-target.ts";
import { ServiceError } from "../../shared/errors.ts";
import { requireReceiver } from "../../shared/outbound/index.ts";
import { EventTypesText } from "../../shared/schemas/deliveries/callback.ts";
import { ReceiverUrl } from "../../shared/schemas/deliveries/receiver-url.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

const Fields = v.object({
  callback_url: v.optional(ReceiverUrl),
  /** Names in a list, or in one text. */
  callback_events: v.optional(
    v.pipe(v.union([v.string(), v.array(v.string())]), v.transform(String), EventTypesText),
  ),
});

type Scheduled = {
  readonly method: string;
  readonly endpoint: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/**
 * Refuses a schedule whose runs could not be delivered to their receiver: none of them could be started.
 *
 * @throws ServiceError UNPROCESSABLE
 */
export function refuseBadCallback(
  { method, endpoint, payload }: Scheduled,
  { settings }: Pick<SchedulesDeps, "settings">,
): void {
  if (!runTarget(method, endpoint)) return;
  const { callback_url, callback_events, task_token } = payload;
  if (task_token !== undefined)
    throw new ServiceError(
      "UNPROCESSABLE",
      "payload.task_token: a task ends once, and a schedule starts many runs; start the run from the state machine",
    );
  const read = v.safeParse(Fields, { callback_url, callback_events });
  if (!read.success) {
    const [issue] = read.issues;
    throw new ServiceError(
      "UNPROCESSABLE",
      `payload.${v.getDotPath(issue)}: ${issue.message.replace(/^\w+\|/, "")}`,
    );
  }
  const { callback_url: url } = read.output;
  if (url !== undefined) requireReceiver(url, settings.FETCH_ALLOWED_HOSTS, "payload.callback_url");
}
