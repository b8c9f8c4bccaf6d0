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
  // A bucket or a plain web server has the files alone, and does not try an ending.
  cleanUrls: false,
  lastUpdated: false,
  // Names such as <id> stand in texts; the documents have no HTML of their own.
  markdown: {
    html: false,
    languageAlias: { okta: "json", entra: "json", auth0: "json", cognito: "json", keycloak: "json" },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        // What was changed and why has nearly every word, and would come before the pages that say how.
        _render: (text, page, markdown) =>
          /^(decisions\/|changelog)/.test(page.relativePath) ? "" : markdown.render(text, page),
      },
    },
    outline: [2, 3],
    nav: read("nav.json"),
    sidebar: read("sidebar.json"),
  },
});
