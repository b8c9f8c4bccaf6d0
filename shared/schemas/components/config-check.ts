import * as v from "valibot";
import { ConfigFault } from "../values/error-body.ts";
import { Component, ConfigVersion } from "./component.ts";

/** A key of a config that changes nothing, although it seems to. `path` leads to it, such as `steps[0].name`. */
export const ConfigWarning = v.object({ path: v.string(), message: v.string() });
export type ConfigWarning = v.InferOutput<typeof ConfigWarning>;

/** What was found out about a version. It can run when there are no faults. */
export const ConfigCheck = v.object({
  ok: v.boolean(),
  faults: v.array(ConfigFault),
  warnings: v.array(ConfigWarning),
});
export type ConfigCheck = v.InferOutput<typeof ConfigCheck>;

/** Left out where there is nothing to say. */
const said = {
  warnings: v.optional(v.array(ConfigWarning)),
  /** Why the version that is shown cannot run. */
  faults: v.optional(v.array(ConfigFault)),
};

/** A component, with what is to be said of the version that was written, or of the one that is live. */
export const CheckedComponent = v.object({ ...Component.entries, ...said });
export type CheckedComponent = v.InferOutput<typeof CheckedComponent>;

/** A version, with what is to be said of it. */
export const CheckedVersion = v.object({ ...ConfigVersion.entries, ...said });
export type CheckedVersion = v.InferOutput<typeof CheckedVersion>;
