import type { Registry } from "../../shared/engine/define/registry.ts";
import { getComponent } from "../../shared/stores/components/component-item.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

/**
 * Reads the state of stored components. What is declared in code is never archived and always published, and hides what
 * is stored under its id.
 */
export const componentStateIn =
  (registry: Registry, db: Db): SchedulesDeps["componentState"] =>
  async ({ type, id }) => {
    if (registry[`${type}s`].some((one) => one.id === id)) return "usable";
    const component = await getComponent(db, id);
    if (component?.component_type !== type) return "missing";
    if (component.deleted_at !== undefined) return "archived";
    return component.current_version === undefined ? "draft_only" : "usable";
  };
