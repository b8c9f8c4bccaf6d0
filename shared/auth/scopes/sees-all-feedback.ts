import type { Principal } from "../principal.ts";
import { mayCall } from "./scopes.ts";

/** Its holder sees all users' runs as far as feedback is concerned, and may give it in the name of others. */
export const FEEDBACK_OF_ALL = "feedback:everybody";

/** Whether a principal has a scope of feedback, such as `feedback:write`. */
export const hasFeedbackScope = (principal: Pick<Principal, "scopes" | "admin">, scope: string): boolean =>
  mayCall(principal, [scope], { method: "GET", path: "/feedback", params: {} });
