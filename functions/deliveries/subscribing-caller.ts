import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { maySubscribeToAll } from "../../shared/auth/scopes/may-subscribe-to-all.ts";

/** Whose endpoints and deliveries a caller sees: its own, or all where it may receive all users' events. */
export const subscribingCaller = (principal: Principal): Caller =>
  maySubscribeToAll(principal) ? { seesAll: true, user_id: principal.user_id } : callerOf(principal);
