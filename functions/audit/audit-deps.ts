import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type AuditDeps = { readonly db: Db; readonly clock: Clock };
