import type { Agent } from "../../shared/engine/agent.ts";
import type { Models } from "../../shared/engine/models.ts";

export type ConfigDeps = {
  readonly osId: string;
  readonly agents: readonly Agent[];
  readonly models: Pick<Models, "describe">;
};
