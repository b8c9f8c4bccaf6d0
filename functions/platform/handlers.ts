// Generated from the route table by `npm run routes`; do not edit.
export { getDocs } from "./get-docs.ts";
export { getFavicon } from "./get-favicon.ts";
export { getHealth } from "./get-health.ts";
export { getInfo } from "./get-info.ts";
export { getLlmsTxt } from "./get-llms-txt.ts";
export { getOpenApi } from "./get-open-api.ts";
export { getRoot } from "./get-root.ts";
