import type { Clock } from "../../shared/runtime/clock.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { Db } from "../../shared/stores/db.ts";

export type ComponentsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** What is declared in code: it hides stored components with the same id, whatever their type. */
  readonly codeDefined: readonly { readonly type: ComponentType; readonly id: string }[];
};
