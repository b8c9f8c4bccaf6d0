import { escapeHtml } from "../../shared/http/escape-html.ts";
import { docsScript } from "./docs-script.ts";
import { docsStyle } from "./docs-style.ts";

/**
 * The interface description as one page that needs nothing from elsewhere: operations by family, their input and
 * answers, and a form to try each with one's own token.
 *
 * @param name  of this instance
 * @returns HTML
 */
export function docsPage(name: string): string {
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
