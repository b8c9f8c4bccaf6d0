import type { Registry } from "@agentplatform/core";
import { assistant } from "./agents/assistant.ts";
import { companion } from "./agents/companion.ts";
import { concierge } from "./agents/concierge.ts";
import { frontDesk } from "./agents/front-desk.ts";
import { refundDesk } from "./agents/refund-desk.ts";
import { parts } from "./parts.ts";
import { supportTeam } from "./teams/support-team.ts";
import { publishReport } from "./workflows/publish-report.ts";

/**
 * What this instance hosts: a demo, which the guides use. Add an agent: declare it in a file of its own under `agents/`, and
 * list it here. Or replace everything in this folder by your own; nothing outside of it and `test/registry/` needs the demo.
 */
export const registry: Registry = {
  agents: [assistant, refundDesk, concierge, frontDesk, companion],
  teams: [supportTeam],
  workflows: [publishReport],
  parts,
};
