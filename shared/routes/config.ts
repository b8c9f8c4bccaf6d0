import * as v from "valibot";
import { RegistryEntry, registryTypes } from "../schemas/components/registry-entry.ts";
import { teamModes } from "../schemas/components/team-modes.ts";
import { WorkflowSummary } from "../schemas/components/workflow.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import type { RouteTable } from "./route.ts";

const Database = v.object({
  db_id: v.string(),
  domain_config: v.object({ display_name: v.string() }),
  tables: v.optional(v.array(v.string())),
});
const Model = v.object({ id: v.string(), provider: v.string() });
const Domain = v.object({ display_name: v.optional(v.string()), dbs: v.array(Database) });

const AgentSummary = v.object({
  id: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  db_id: v.optional(v.string()),
  model: v.optional(Model),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});

/** Null members are left out. @source docs/interface/platform.md 1.1 */
const ConfigResponse = v.object({
  os_id: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  available_models: v.array(Model),
  os_database: v.string(),
  databases: v.array(v.string()),
  chat: v.object({ quick_prompts: v.record(v.string(), v.array(v.string())) }),
  session: Domain,
  knowledge: v.object({
    ...Domain.entries,
    knowledge_instances: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        description: v.optional(v.string()),
        db_id: v.string(),
        table: v.string(),
      }),
    ),
  }),
  metrics: v.optional(Domain),
  memory: v.optional(Domain),
  learning: v.optional(Domain),
  evals: v.optional(Domain),
  traces: v.optional(Domain),
  agents: v.array(AgentSummary),
  teams: v.array(v.object({ ...AgentSummary.entries, mode: v.picklist(teamModes) })),
  workflows: v.array(WorkflowSummary),
  interfaces: v.array(v.object({ type: v.string(), version: v.string(), route: v.string() })),
  /** Whether background runs are accepted, and whether they survive the end of the process that accepted them. */
  queue: v.object({ enabled: v.boolean(), durable: v.boolean(), queue_per_session: v.boolean() }),
});

/** The caller's own credential. */
const Me = v.object({
  /** Null for a token without a subject, to which nothing can belong. */
  id: v.nullable(v.string()),
  kind: v.picklist(["user", "service_account"]),
  /** Of a service account. */
  name: v.optional(v.string()),
  scopes: v.array(v.string()),
  is_admin: v.boolean(),
  /** The scope that makes an admin here, as refusals name it. */
  admin_scope: v.string(),
});

const RegistryQuery = v.object({
  resource_type: meaning(v.optional(v.picklist(registryTypes)), "Only entries of this type"),
  name: meaning(v.optional(v.string()), "A part of the name, in any case"),
  ...pageQuery(100),
});

export const configRoutes = {
  getConfig: {
    method: "GET",
    path: "/config",
    scopes: ["config:read"],
    response: ConfigResponse,
    summary: "Describe what this instance hosts",
  },
  getMe: {
    method: "GET",
    path: "/me",
    scopes: [],
    response: Me,
    summary: "Describe the caller's own credential",
    description:
      "Who it is, which scopes it has, and whether it is an admin's. Any valid credential may ask.",
  },
  listModels: {
    method: "GET",
    path: "/models",
    scopes: ["config:read"],
    response: v.array(Model),
    summary: "List the models that the agents use",
  },
  listRegistry: {
    method: "GET",
    path: "/registry",
    scopes: ["registry:read"],
    query: RegistryQuery,
    response: pageOf(RegistryEntry),
    example: { query: { resource_type: "tool", name: "time" } },
    summary: "List what code registered: tools, models, schemas, functions, agents, teams and workflows",
  },
} as const satisfies RouteTable;
