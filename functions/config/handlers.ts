// Generated from the route table by `npm run routes`; do not edit.
export { getConfig } from "./get-config.ts";
export { getMe } from "./get-me.ts";
export { listModels } from "./list-models.ts";
export { listRegistry } from "./list-registry.ts";
