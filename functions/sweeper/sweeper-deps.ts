import type { CheckLocksDeps } from "../../shared/engine/lifecycle/check-locks.ts";

export type SweeperDeps = CheckLocksDeps & {
  readonly settings: {
    readonly PAUSE_LIFE_SECONDS: number;
    readonly APPROVAL_EXPIRES_SECONDS: number;
  };
};

/** How much each step of a round found, by the step's name. */
export type Swept = Readonly<Record<string, number>>;
