import { defineConfig } from "@agentplatform/core";

export default defineConfig({
  registry: "./registry.ts",
  // Of every deployment. There a tool's secret is in Secrets Manager: npx agent-platform secrets set SHOP_KEY --stage prod
  settings: { toolSecrets: { SHOP_KEY: "shop/key" } },
  stages: {
    prod: { userPool: "true" },
  },
  // Of this machine. MODEL=anthropic:claude-sonnet-5-5 npm run dev asks a real model.
  local: {},
});
