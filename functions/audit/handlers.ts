// Generated from the route table by `npm run routes`; do not edit.
export { listAudit } from "./list-audit.ts";
export { verifyAudit } from "./verify-audit.ts";
