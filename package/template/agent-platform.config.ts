import { defineConfig } from "@agentplatform/core";

export default defineConfig({
  registry: "./registry.ts",
  // Of every deployment; `agent-platform deploy --stage prod` takes those of `prod` over them.
  settings: {},
  stages: {
    prod: {
      // Whose tokens are accepted:
      // jwtIssuers: [{ issuer: "https://login.example.com", jwks_uri: "https://login.example.com/keys", audience: "agents" }],
      userPool: "true",
    },
  },
  // Of this machine. MODEL=anthropic:claude-sonnet-5-5 npm run dev asks a real model.
  local: {},
});
