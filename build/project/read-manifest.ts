import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";

/** Where a folder of bundles has the description of the registry. */
export const manifestFile = (folder: string): string => join(folder, "registry.json");

/** The description that was written last; undefined when there is none that can be read, as of another version. */
export function readManifest(folder: string): RegistryManifest | undefined {
  try {
    return v.parse(RegistryManifest, JSON.parse(readFileSync(manifestFile(folder), "utf8")));
  } catch {
    return undefined;
  }
}
