import { callerOf } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { getVersion } from "../../shared/stores/components/get-version.ts";
import { getLatestVersion } from "../../shared/stores/components/list-versions.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { visibleComponent } from "./visible-component.ts";
import { wireVersion } from "./wire-component.ts";

/** @source contract, components-and-platform A4, '"Current" resolution' */
export const getCurrentConfigVersion: Handler<
  typeof componentRoutes.getCurrentConfigVersion,
  ComponentsDeps
> = async ({ params, principal }, { db }) => {
  const id = params.component_id;
  const { current_version } = await visibleComponent(db, callerOf(principal), id);
  // A caller who sees a component that was never published sees its drafts.
  const version =
    current_version === undefined
      ? await getLatestVersion(db, id)
      : await getVersion(db, id, current_version);
  if (!version) throw notFound("component", id);
  return wireVersion(version);
};
