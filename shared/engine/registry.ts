import type { Agent } from "./agent.ts";

/** What this instance hosts, as `registry/index.ts` declares it. */
export type Registry = { readonly agents: readonly Agent[] };
