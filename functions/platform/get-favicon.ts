import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e63"/><path d="M9 23 16 8l7 15M11.5 18h9" fill="none" stroke="#fff" stroke-width="3"/></svg>`;

/** Browsers ask for it without a credential: refusing it would show an error in the console of every page. */
export const getFavicon: Handler<typeof platformRoutes.getFavicon, object> = async () =>
  new Reply(200, ICON, { "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" });
