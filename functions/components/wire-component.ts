import * as v from "valibot";
import type { Fault } from "../../shared/errors.ts";
import { Component, ConfigVersion } from "../../shared/schemas/components/component.ts";
import type { ComponentRecord, VersionRecord } from "../../shared/schemas/components/component-record.ts";
import type { ConfigWarning } from "../../shared/schemas/components/config-check.ts";

/** The component as the wire shows it. */
export const wireComponent = (component: ComponentRecord): Component => v.parse(Component, component);

/** The version as the wire shows it: links are never returned. */
export const wireVersion = (version: VersionRecord): ConfigVersion => v.parse(ConfigVersion, version);

/** Warnings as answers carry them: left out where there are none. */
export const shownWarnings = (found: { readonly warnings: readonly ConfigWarning[] } | undefined) =>
  found && found.warnings.length > 0 ? { warnings: [...found.warnings] } : {};

/** The same of faults. */
export const shownFaults = (faults: readonly Fault[]) => (faults.length > 0 ? { faults: [...faults] } : {});
