import type { Principal } from "../../../shared/auth/principal.ts";
import { requireRun } from "../../../shared/auth/require-run.ts";
import type { ComponentType } from "../../../shared/schemas/components/component.ts";
import type { VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import { readLinked } from "../../../shared/stores/components/read-relatives.ts";
import type { ComponentsDeps } from "../components-deps.ts";

/**
 * Refuses who stores a version, or makes one live, and may not run everything that it links: whoever runs the component
 * needs the scope for that alone, so a stored team or workflow would be a way around every other one.
 *
 * It needs no part in the write's conditions: whoever changes a target afterwards is checked then.
 *
 * @throws ServiceError UNAUTHORIZED with the missing scopes
 */
export async function requireRunOfLinked(
  { db, codeDefined }: Pick<ComponentsDeps, "db" | "codeDefined">,
  principal: Principal,
  type: ComponentType,
  versions: readonly Pick<VersionRecord, "config" | "links">[],
): Promise<void> {
  if (principal.admin) return;
  requireRun(principal, await readLinked(db, type, versions, codeDefined));
}
