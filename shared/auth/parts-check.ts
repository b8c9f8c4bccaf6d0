/**
 * The event by which the platform asks the authorizer whether it can decide. The gateway's own events have no such member, so
 * no client can send one.
 */
export const partsCheck = { check: "parts" } as const;
export type PartsCheck = typeof partsCheck;
