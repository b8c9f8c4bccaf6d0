import type { Log } from "../../runtime/log.ts";
import { readComponents } from "../../stores/components/component-item.ts";
import type { Db } from "../../stores/db.ts";
import { declaredIn, type Registry } from "../define/registry.ts";

/**
 * Warns of each stored component whose id code declares: a deployment took its id, and it is neither listed nor run any
 * more. Called once when a function starts, beside its first request; what cannot be read is said, and stops nothing.
 */
export async function warnOfHidden(registry: Registry, db: Db, log: Log): Promise<void> {
  const ids = declaredIn(registry).map(({ id }) => id);
  try {
    for (const { component_id, component_type, deleted_at } of await readComponents(db, ids)) {
      if (deleted_at !== undefined) continue;
      log.warn("a stored component is hidden: code declares its id; archive it, or declare another id", {
        component_id,
        component_type,
      });
    }
  } catch (error) {
    log.warn("could not look for stored components that code hides", { error: String(error) });
  }
}
