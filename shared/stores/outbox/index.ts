export { getCallbackKeys, rotateCallbackKeys } from "./callback-keys.ts";
export { runEvent } from "./change-event.ts";
export {
  deliveryWork,
  getDelivery,
  idOfDelivery,
  KEPT_ATTEMPTS,
  type StoredDelivery,
  wireDelivery,
} from "./delivery-item.ts";
export {
  changeEndpoint,
  changeEndpointOnRequest,
  createEndpoint,
  getEndpoint,
  listEndpoints,
  listEndpointsOf,
  MAX_ENDPOINTS,
  removeEndpoint,
  type StoredEndpoint,
  subscribedEndpoints,
  wireEndpoint,
} from "./endpoints.ts";
export type { ChangeFacts, RunFacts, StoredEvent } from "./event-item.ts";
export { putHostWaiter, removeHostWaiter, takeHostWaiter } from "./host-waiters.ts";
export { getLeaseWatch, publishLostRun, removeWatch, watchAgain } from "./lease-watch.ts";
export { listDeliveries, writeDeliveries } from "./list-deliveries.ts";
export { subjectOf, subjectPartition } from "./outbox-keys.ts";
export { publishDeletedTask } from "./publish-deleted-task.ts";
export { changePushConfigs, getPushConfigs, type PushConfig } from "./push-configs.ts";
export { putPing } from "./put-ping.ts";
export { readSubject, type SubjectSeen } from "./read-subject.ts";
export { removeOutboxOfRun } from "./remove-outbox-of-run.ts";
export { freeTargetSlot, SLOTS_OF_HOST, type TargetSlot, takeTargetSlot } from "./target-slots.ts";
