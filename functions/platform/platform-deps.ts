import type { Registry } from "../../shared/engine/define/registry.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import type { DeepHealth } from "./deep-health.ts";

/** What the public description of an instance is made of. */
export type PlatformDeps = {
  readonly osId: string;
  /** Version of this software. */
  readonly version: string;
  /** ISO 8601 UTC: when this container started. */
  readonly instantiated_at: string;
  /** Its route tables, by family. */
  readonly served: Readonly<Record<string, RouteTable>>;
  readonly deepHealth: DeepHealth;
  readonly registry: Pick<Registry, "agents" | "teams" | "workflows">;
};
