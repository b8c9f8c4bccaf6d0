import { platformEvents } from "../../../shared/domain/platform-events.ts";
import { PING } from "../../../shared/schemas/deliveries/event-type.ts";
import { isoTime } from "../bodies/body-of.ts";
import { dataOf } from "../bodies/data-of.ts";
import type { TargetKind } from "./target-kind.ts";

/** What rules choose the platform's events by. */
const SOURCE = "agent-platform";

/** The event bus of the instance, which receives every change. */
export const eventBus: TargetKind = {
  // The service has limits of its own, and says when they are reached.
  isUnlimited: true,
  isUnlistedOnceDelivered: true,

  targetsOf: async ({ bus }, { type }) =>
    bus && type !== PING ? [{ id: "event-bus", host: `event-bus/${bus.name}`, user_id: null }] : [],

  deliver: async ({ db, bus, settings }, _delivery, event, now) => {
    if (!bus) return { skipped: "the instance has no event bus any more" };
    const options = { include_content: settings.EVENT_BUS_CONTENTS === "true" };
    const data = await dataOf(db, event, options, now);
    if (!data) return { skipped: "the run was deleted" };
    const detail = {
      id: event.id,
      type: event.type,
      version: platformEvents[event.type].version,
      os_id: settings.OS_ID,
      stage: settings.STAGE,
      timestamp: isoTime(event.occurred_at),
      data,
    };
    const put = await bus.put({
      source: SOURCE,
      detail_type: event.type,
      detail: JSON.stringify(detail),
      time: event.occurred_at,
    });
    if (put.accepted)
      return {
        result: { accepted: true },
        attempt: { response_status: 200, response: put.event_id, error: null },
      };
    return {
      result: { accepted: false, isFinal: put.isFinal },
      ...(put.isFinal && { reason: put.error }),
      attempt: { response_status: null, response: null, error: put.error },
    };
  },
};
