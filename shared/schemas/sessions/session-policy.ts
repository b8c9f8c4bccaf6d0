/** What happens with a run that is submitted while other runs of its session are live. */
export const sessionPolicies = ["parallel", "queue", "reject", "interrupt", "steer"] as const;
export type SessionPolicy = (typeof sessionPolicies)[number];
