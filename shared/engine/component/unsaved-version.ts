import { storedConfig } from "../../domain/components/stored-config.ts";
import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";

type Config = Readonly<Record<string, unknown>>;

/** A config as a version that is not stored. Its members and steps are the live ones. */
export const unsavedVersion = (
  { component_id, next_version, created_at }: ComponentRecord,
  config: Config,
): VersionRecord => ({
  component_id,
  version: next_version,
  stage: "draft",
  config: storedConfig(config),
  links: [],
  created_at,
});
