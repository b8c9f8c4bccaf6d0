import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

// Written by scripts/docs/site.ts, like the pages.
const read = (name: string) => JSON.parse(readFileSync(new URL(`../pages/${name}`, import.meta.url), "utf8"));

export default defineConfig({
  title: "agent-platform",
  description: "AI agents behind one HTTP API in your own AWS account",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "pages",
  srcExclude: ["public/**"],
  outDir: "../dist-site",
  cleanUrls: true,
  lastUpdated: false,
  // Names such as <id> stand in texts; the documents have no HTML of their own.
  markdown: {
    html: false,
    languageAlias: { okta: "json", entra: "json", auth0: "json", cognito: "json", keycloak: "json" },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: read("nav.json"),
    sidebar: read("sidebar.json"),
  },
});
