import { type KeyOwner, type KeyState, validKeys } from "../../../shared/outbound/index.ts";
import { postMessage, signatureHeaders } from "../../../shared/outbound/sending.ts";
import type { StoredEvent } from "../../../shared/stores/outbox/index.ts";
import { bodyOf } from "../bodies/body-of.ts";
import type { DeliveryWorkerDeps } from "../delivery-worker-deps.ts";
import type { Tried } from "./target-kind.ts";
import { triedOf } from "./tried-of.ts";

/** Where a signed message goes. */
export type SignedReceiver = {
  readonly url: string;
  readonly include_content: boolean;
  readonly keyOwner: KeyOwner;
  readonly keyState: KeyState;
};

/**
 * Sends an event as a message of Standard Webhooks. Its id is the event's in every try; its timestamp is that of the try.
 *
 * @param now  epoch seconds
 */
export async function postSigned(
  deps: DeliveryWorkerDeps,
  event: StoredEvent,
  { url, include_content, keyOwner, keyState }: SignedReceiver,
  now: number,
): Promise<Tried> {
  const body = await bodyOf(deps, event, { include_content }, now);
  if (body === undefined) return { skipped: "the run was deleted" };
  const keys = validKeys(await deps.signingRoots(), keyOwner, keyState, now);
  const headers = signatureHeaders(event.id, now, body, keys);
  return triedOf(await postMessage({ url, headers, body }, deps.settings.FETCH_ALLOWED_HOSTS));
}
