import type { Principal } from "../principal.ts";

/** The principal of a credential, or why there is none. `detail` may be read by the caller. */
export type Identified =
  | { readonly outcome: "identified"; readonly principal: Principal }
  | { readonly outcome: "unauthenticated" | "unavailable"; readonly detail: string }
  | { readonly outcome: "throttled"; readonly detail: string; readonly retry_after_seconds: number };
