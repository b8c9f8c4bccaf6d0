import type { Principal } from "../principal.ts";
import { mayCall } from "./scopes.ts";

/** Like an admin, its holder may receive events of all users' runs. The scopes to manage endpoints alone reach one's own. */
export const SUBSCRIBE_TO_ALL = "webhooks:everybody";

/** Whether a principal may have endpoints for the events of all users' runs, and sees all endpoints and deliveries. */
export const maySubscribeToAll = (principal: Pick<Principal, "scopes" | "admin">): boolean =>
  mayCall(principal, [SUBSCRIBE_TO_ALL], { method: "GET", path: "/webhook-endpoints", params: {} });
