import type { platformRoutes } from "../../routes/platform.ts";
import type { ExamplesOf } from "./example.ts";

export const platformExamples: ExamplesOf<typeof platformRoutes> = {
  getRoot: {
    answer: {
      name: "agent-platform",
      id: "agent-platform",
      version: "0.1.0",
      health: "/health",
      info: "/info",
      docs: "/docs",
    },
  },
  getHealth: { answer: { status: "ok", instantiated_at: "2026-03-04T09:15:00.000Z" } },
  getInfo: {
    answer: {
      os_id: "agent-platform",
      name: "agent-platform",
      agno_version: "2.7.2",
      os_version: "0.1.0",
      agent_count: 8,
      team_count: 1,
      workflow_count: 1,
      mcp: { enabled: false, path: null, oauth: false },
      auth_mode: "jwt",
    },
  },
  getOpenApi: {
    answer: { openapi: "3.1.0", info: { title: "Agent platform", version: "0.1.0" }, paths: {} },
  },
  getFavicon: { answer: "<svg/>" },
  getDocs: { answer: "<!doctype html><title>agent-platform · interface</title>" },
};
