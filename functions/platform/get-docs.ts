import { createHash } from "node:crypto";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import { docsPage } from "./docs-page.ts";
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
