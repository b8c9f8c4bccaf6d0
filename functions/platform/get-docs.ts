import { createHash } from "node:crypto";
import { escapeHtml } from "../../shared/http/escape-html.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import { docsScript } from "./docs-script.ts";
import { docsStyle } from "./docs-style.ts";
import type { PlatformDeps } from "./platform-deps.ts";

export const getDocs: Handler<typeof platformRoutes.getDocs, PlatformDeps> = async (_request, { osId }) =>
  new Reply(200, docsPage(osId), headers);

/** The source of an inline script or style, by which a policy allows this one and no other. */
const sourceOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * People paste tokens into this page: nothing but its own script and style is executed or applied, it sends requests to
 * this service alone, and no other page can show it in a frame.
 */
const headers = {
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${sourceOf(docsScript)}`,
    `style-src ${sourceOf(docsStyle)}`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/**
 * The interface description as one page that needs nothing from elsewhere: operations by family, their input and
 * answers, and a form to try each with one's own token.
 *
 * @param name  of this instance
 * @returns HTML
 */
function docsPage(name: string): string {
  const title = escapeHtml(name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · interface</title>
<style>${docsStyle}</style>
</head>
<body>
<header>
  <h1>${title}<small id="version"></small></h1>
  <label class="search">Search
    <input id="search" type="search" autocomplete="off" placeholder="path, name or words">
  </label>
  <label class="token">Bearer token
    <input id="token" type="password" autocomplete="off" placeholder="kept in this tab only">
  </label>
</header>
<div class="layout">
  <nav aria-label="Operations"></nav>
  <main><p>Reading the interface description…</p></main>
</div>
<script>${docsScript}</script>
</body>
</html>
`;
}
