import type { FindRunnable } from "../../shared/engine/component/find-runnable.ts";
import type { Registry } from "../../shared/engine/define/registry.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { EvalQueue } from "../../shared/queue/eval-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";

export type EvalsDeps = {
  readonly db: Db;
  readonly findRunnable: FindRunnable;
  readonly models: Pick<Models, "describe">;
  readonly registry: Registry;
  readonly queue: EvalQueue;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly settings: {
    /** Model specification of the judge; the component's own where absent. */
    readonly JUDGE_MODEL?: string | undefined;
  };
};
