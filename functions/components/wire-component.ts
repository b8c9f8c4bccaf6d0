import * as v from "valibot";
import { Component, ConfigVersion } from "../../shared/schemas/components/component.ts";
import type { ComponentRecord, VersionRecord } from "../../shared/schemas/components/component-record.ts";

/** The component as the wire shows it. */
export const wireComponent = (component: ComponentRecord): Component => v.parse(Component, component);

/** The version as the wire shows it: links are never returned. */
export const wireVersion = (version: VersionRecord): ConfigVersion => v.parse(ConfigVersion, version);
