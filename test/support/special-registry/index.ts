import type { Registry } from "../../../shared/engine/define/index.ts";
import { registry as guarded } from "../guard-registry/index.ts";
import { registry as hostile } from "../hostile-registry/index.ts";
import { registry as withRights } from "../rights-registry/index.ts";
import { registry as stateful } from "../state-registry/index.ts";

/** What single tests host in addition to the registry of the tests, in one registry: each function is bundled with it once. */
const all = [guarded, hostile, withRights, stateful];

export const registry: Registry = {
  agents: all.flatMap(({ agents }) => agents),
  teams: all.flatMap(({ teams }) => teams),
  workflows: all.flatMap(({ workflows }) => workflows),
};
