import type { configRoutes } from "../../routes/config.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";

const database = { db_id: "dynamodb", domain_config: { display_name: "DynamoDB" } };
const domain = { display_name: "DynamoDB", dbs: [database] };

export const configExamples: ExamplesOf<typeof configRoutes> = {
  getConfig: {
    answer: {
      os_id: "agent-platform",
      name: "agent-platform",
      queue: { enabled: true, durable: true, queue_per_session: true },
      available_models: [{ id: "scripted-1", provider: "Scripted" }],
      os_database: "dynamodb",
      databases: ["dynamodb"],
      chat: { quick_prompts: { assistant: ["What can you do?"] } },
      session: domain,
      knowledge: {
        ...domain,
        knowledge_instances: [{ id: "handbook", name: "handbook", db_id: "dynamodb", table: "knowledge" }],
      },
      memory: domain,
      agents: [{ id: "assistant", name: "Assistant", model: { id: "demo", provider: "scripted" } }],
      teams: [{ id: "support-team", name: "Support team", mode: "coordinate" }],
      workflows: [{ id: "publish-report", name: "Publish report", is_factory: false, is_component: false }],
      interfaces: [{ type: "a2a", version: "1.0", route: "/a2a" }],
    },
  },
  getMe: {
    answer: {
      id: "maria",
      kind: "user",
      scopes: ["agents:run", "sessions:read"],
      is_admin: false,
      admin_scope: "platform:admin",
    },
  },
  listModels: { answer: [{ id: "demo", provider: "scripted" }] },
  listRegistry: {
    query: { resource_type: "tool", name: "time" },
    answer: pageWith({ name: "get_time", type: "tool" as const, description: "Returns the time." }),
  },
};
