import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import type { Commit } from "../../shared/stores/components/change-component.ts";
import { disableSchedulesOf } from "../../shared/stores/schedules/index.ts";
import type { ComponentsDeps } from "./components-deps.ts";

/**
 * Writes the archiving of a component and disables the schedules that run it, in one transaction; of very many
 * schedules the rest follows. A component that is declared in code still runs under this id, and so do its schedules.
 *
 * @returns undefined for a skill, which no schedule runs, and where the archiving is written by itself
 */
export function disablingSchedules(
  { db, codeDefined }: Pick<ComponentsDeps, "db" | "codeDefined">,
  { component_type: type, component_id: id }: ComponentRecord,
  now: number,
): Commit | undefined {
  if (type === "skill" || codeDefined.some((one) => one.type === type && one.id === id)) return undefined;
  return (parts) => disableSchedulesOf(db, { type, id }, parts, `target_archived:${type}:${id}`, now);
}
