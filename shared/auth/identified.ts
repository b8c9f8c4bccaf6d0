import type { Principal } from "./principal.ts";

/** Who a credential speaks for, or why that cannot be said. `detail` may be read by the caller. */
export type Identified =
  | { readonly outcome: "identified"; readonly principal: Principal }
  | { readonly outcome: "unauthenticated" | "unavailable"; readonly detail: string }
  | { readonly outcome: "throttled"; readonly detail: string; readonly retry_after_seconds: number };
