import { callerOf } from "../../../shared/auth/caller.ts";
import { maySeeVersion } from "../../../shared/domain/components/audience.ts";
import { jsonBytes } from "../../../shared/domain/components/json-bytes.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import type { ConfigVersion } from "../../../shared/schemas/components/component.ts";
import { listVersions } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { visibleComponent } from "../visible-component.ts";
import { wireVersion } from "../wire-component.ts";

/** A function returns 6 MB at most, and the answer is a plain list without pages. */
const MAX_ANSWER_BYTES = 5_000_000;

/** Highest version first; of another user's component the published ones. */
export const listConfigVersions: Handler<typeof componentRoutes.listConfigVersions, ComponentsDeps> = async (
  { params, query, principal },
  { db },
) => {
  const caller = callerOf(principal);
  const component = await visibleComponent(db, caller, params.component_id);
  const versions = await listVersions(db, params.component_id);
  const shown = versions
    .filter((version) => maySeeVersion(caller, component, version))
    .map(wireVersion)
    .map((version) => (query.include_config ? version : withoutConfig(version)));
  if (jsonBytes(shown) <= MAX_ANSWER_BYTES) return shown;
  throw new ServiceError(
    "BAD_REQUEST",
    "the configs of all versions are too much for one answer; ask for include_config=false, then for single versions",
  );
};

function withoutConfig({ config: _, ...version }: ConfigVersion): ConfigVersion {
  return version;
}
