import type { Parts } from "../../shared/engine/component/build/build-settings.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { Db } from "../../shared/stores/db.ts";

export type ComponentsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** Where the parts that configs name are looked up. */
  readonly parts: Parts;
  readonly log: Pick<Log, "info">;
  /** What is declared in code: it hides stored components with the same id, whatever their type. */
  readonly codeDefined: readonly { readonly type: ComponentType; readonly id: string }[];
};
