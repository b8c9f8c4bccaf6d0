import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { hearsEverybody } from "../../shared/auth/scopes/hears-everybody.ts";

/** Whose endpoints and deliveries a caller sees: its own, or all where it may hear everybody's runs. */
export const hearingCaller = (principal: Principal): Caller =>
  hearsEverybody(principal) ? { seesAll: true, user_id: principal.user_id } : callerOf(principal);
