import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";
import { isObject } from "../../schemas/values/json-values.ts";

/**
 * The component with one of its versions live. The version's name, description and metadata become the component's.
 *
 * @param now  epoch seconds
 */
export function goLive(component: ComponentRecord, live: VersionRecord, now: number): ComponentRecord {
  const { description: before, ...rest } = component;
  const { name, description = before, metadata } = live.config;
  return {
    ...rest,
    current_version: live.version,
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof description === "string" && { description }),
    ...(isObject(metadata) && { metadata }),
    updated_at: now,
  };
}
