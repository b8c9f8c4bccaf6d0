import type { DeclaredCallback } from "../../engine/define/declared-callback.ts";
import { ServiceError } from "../../errors.ts";
import { requireReceiver } from "../../outbound/require-receiver.ts";
import type { Callback } from "../../schemas/deliveries/callback.ts";
import { runEventTypes } from "../../schemas/deliveries/event-type.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import type { RunsDeps } from "../runs-deps.ts";

/**
 * Who is notified when a background run ends: what the request names, else what its component names, else what the instance
 * does. A foreground run has no callback: its client waits for the answer.
 *
 * @throws ServiceError UNPROCESSABLE for an address that may not be called; BAD_REQUEST where webhooks are off, or for a
 *         foreground run
 */
export function callbackOf(
  { callback_url, callback_events, callback_content, background }: CreateRunForm,
  declared: DeclaredCallback | undefined,
  { db, settings }: Pick<RunsDeps, "db" | "settings">,
): Callback | undefined {
  if (callback_url !== undefined) {
    if (!background)
      throw new ServiceError(
        "BAD_REQUEST",
        "callback_url needs background=true: a foreground run is waited for",
      );
    if (!db.outbox?.webhooks) throw webhooksOff();
    requireReceiver(callback_url, settings.FETCH_ALLOWED_HOSTS, "callback_url");
  }
  const url = callback_url ?? declared?.url ?? settings.CALLBACK_URL;
  if (!background || !db.outbox?.webhooks || url === undefined) return undefined;
  const named_by = callback_url === undefined ? (declared ? "component" : "instance") : "request";
  return {
    url,
    named_by,
    events: [...(callback_events ?? declared?.events ?? runEventTypes)],
    include_content: callback_content ?? declared?.include_content ?? callback_url !== undefined,
  };
}

const webhooksOff = (): ServiceError =>
  new ServiceError(
    "BAD_REQUEST",
    "webhooks are off on this instance; its operator switches them on (webhooks=on)",
  );

/**
 * The task of a state machine that ends with the run, if its request names one.
 *
 * @throws ServiceError UNPROCESSABLE where the instance may end no tasks; BAD_REQUEST for a foreground run
 */
export function taskTokenOf(
  { task_token, background }: CreateRunForm,
  { db }: Pick<RunsDeps, "db">,
): string | undefined {
  if (task_token === undefined) return undefined;
  if (!db.outbox?.taskTokens)
    throw new ServiceError(
      "UNPROCESSABLE",
      "task_token: this instance ends no tasks of Step Functions; its operator allows it with taskTokens",
    );
  if (!background)
    throw new ServiceError(
      "BAD_REQUEST",
      "task_token needs background=true: a task waits for a run that goes on without a connection",
    );
  return task_token;
}
