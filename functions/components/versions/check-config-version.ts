import { callerOf } from "../../../shared/auth/caller.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { inspectVersion } from "../inspect/inspect-version.ts";
import { visibleVersion } from "./visible-version.ts";

/**
 * Says everything that is wrong with a version, as publishing it by the caller would find it. Nothing is written.
 *
 * @throws ServiceError NOT_FOUND for what the caller may not see; BAD_REQUEST where it leads to more than can be read
 * @decided ours; the wire has no such route
 */
export const checkConfigVersion: Handler<typeof componentRoutes.checkConfigVersion, ComponentsDeps> = async (
  { params, principal },
  deps,
) => {
  const { component, version } = await visibleVersion(deps.db, callerOf(principal), params);
  const { config, label, notes, stage, links, links_given } = version;
  // A draft's own links are derived again when it is published.
  const asStored = links_given || stage === "published" ? links : undefined;
  const content = { config, label, notes, stage: "published" } as const;
  const { refusals, faults, warnings } = await inspectVersion(
    deps,
    principal,
    component,
    content,
    asStored,
    version.version,
  );
  const all = [...refusals, ...faults];
  return { ok: all.length === 0, faults: all, warnings: [...warnings] };
};
