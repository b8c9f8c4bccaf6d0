import type { Models } from "../../shared/engine/models.ts";
import type { Registry } from "../../shared/engine/registry.ts";
import type { KnowledgeBase } from "../../shared/knowledge/base.ts";
import type { Interfaces } from "../../shared/routes/served.ts";

export type ConfigDeps = {
  readonly osId: string;
  readonly registry: Registry;
  readonly bases: readonly KnowledgeBase[];
  readonly models: Pick<Models, "describe">;
  /** Which interfaces for foreign clients are served. */
  readonly interfaces: Interfaces;
};
