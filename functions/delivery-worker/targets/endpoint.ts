import { DISABLED_AFTER_SECONDS } from "../../../shared/domain/deliveries/plan-try.ts";
import { subscribesTo } from "../../../shared/domain/deliveries/subscribes-to.ts";
import { accountNameOf } from "../../../shared/schemas/access/account-user-id.ts";
import { PING } from "../../../shared/schemas/deliveries/event-type.ts";
import type { Db } from "../../../shared/stores/db.ts";
import {
  changeEndpoint,
  getEndpoint,
  type StoredEndpoint,
  type StoredEvent,
  subscribedEndpoints,
} from "../../../shared/stores/outbox/index.ts";
import { findName } from "../../../shared/stores/service-accounts/account-item.ts";
import type { DeliveryWorkerDeps } from "../delivery-worker-deps.ts";
import { postSigned } from "./post-signed.ts";
import type { TargetKind, Tried } from "./target-kind.ts";

const GONE = 410;

/** Standing receivers: those of whose run or record it is, and those for all users. */
export const endpoint: TargetKind = {
  targetsOf: async ({ db }, event) => {
    const { type, run, change, owner } = event;
    // A ping has its delivery from the start.
    if (type === PING || !(await db.outbox?.hasEndpoints())) return [];
    const component = run ? { type: run.component_type, id: run.component_id } : change?.component;
    const filtered = { type, component };
    const endpoints = await subscribedEndpoints(db, owner);
    return endpoints.filter((one) => subscribesTo(one, filtered)).map(targetOf);
  },

  deliver: async (deps, { target }, event, now) => {
    if (!deps.db.outbox?.webhooks) return { skipped: "webhooks were switched off" };
    const found = await getEndpoint(deps.db, target.id);
    const silent = await whySilent(deps.db, found, event, now);
    if (!found || silent !== undefined) return { skipped: silent ?? "the endpoint was removed" };
    const { id: endpoint_id, url, include_content, generation, previous_until } = found;
    const receiver = {
      ...{ url, include_content },
      keyOwner: { endpoint_id },
      keyState: { generation, previous_until },
    };
    const tried = await postSigned(deps, event, receiver, now);
    if ("skipped" in tried) return tried;
    return (await isDisabledBy(deps, found, tried, now))
      ? { ...tried, result: { accepted: false, isFinal: true }, reason: "the endpoint was disabled" }
      : tried;
  },
};

export const targetOf = ({ id, url, audience, user_id }: StoredEndpoint) => ({
  id,
  host: new URL(url).host,
  user_id: audience === "own" ? user_id : null,
});

/** Why an endpoint does not receive an event although it was to. */
async function whySilent(
  db: Db,
  found: StoredEndpoint | undefined,
  event: StoredEvent,
  now: number,
): Promise<string | undefined> {
  if (!found) return "the endpoint was removed";
  if (event.type !== PING && !found.enabled) return "the endpoint is disabled";
  // Another owner's events are never delivered, whatever led here.
  if (event.type !== PING && found.audience === "own" && found.user_id !== event.owner)
    return "it is not about something of its owner";
  return (await isOwnerLive(db, found.user_id, now))
    ? undefined
    : "the account that owns the endpoint is gone";
}

/** Whether a service account may still call. Of the subject of a JWT only its issuer knows that. */
async function isOwnerLive(db: Db, owner: string | null, now: number): Promise<boolean> {
  const name = owner === null ? undefined : accountNameOf(owner);
  if (name === undefined) return true;
  const account = await findName(db, name);
  return (
    account !== undefined &&
    account.revoked_at === undefined &&
    (account.valid_until === undefined || account.valid_until > now)
  );
}

/**
 * Records what a try says about the endpoint itself, and disables one that asks for it or has accepted nothing for days.
 *
 * @returns whether it is disabled by this try
 */
async function isDisabledBy(
  { db, meter, log }: DeliveryWorkerDeps,
  { id, failing_since }: StoredEndpoint,
  tried: Exclude<Tried, { skipped: string }>,
  now: number,
): Promise<boolean> {
  if (tried.result.accepted) {
    if (failing_since !== null) await changeEndpoint(db, id, { failing_since: null }, { failing_since });
    return false;
  }
  const reason = whyDisabled(tried.attempt.response_status, failing_since, now);
  if (reason === undefined) {
    if (failing_since === null) await changeEndpoint(db, id, { failing_since: now }, { failing_since });
    return false;
  }
  const change = { enabled: false, disabled_reason: reason, updated_at: now };
  if (!(await changeEndpoint(db, id, change, { enabled: true }))) return false;
  meter?.record({ EndpointsDisabled: 1 });
  log.warn("a webhook endpoint was disabled", { endpoint_id: id, reason });
  return true;
}

function whyDisabled(status: number | null, failingSince: number | null, now: number): string | undefined {
  if (status === GONE) return "it answered 410";
  return failingSince !== null && now - failingSince >= DISABLED_AFTER_SECONDS
    ? "it has accepted no message for five days"
    : undefined;
}
