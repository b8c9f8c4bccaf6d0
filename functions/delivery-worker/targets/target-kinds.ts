import type { TargetName } from "../../../shared/schemas/deliveries/webhook-delivery.ts";
import { callback } from "./callback.ts";
import { endpoint } from "./endpoint.ts";
import { eventBus } from "./event-bus.ts";
import { push } from "./push.ts";
import type { TargetKind } from "./target-kind.ts";
import { task } from "./task.ts";

/** Every kind of receiver, by the name that deliveries have. */
export const targetKinds: Readonly<Record<TargetName, TargetKind>> = {
  callback,
  endpoint,
  event_bus: eventBus,
  push,
  task,
};
