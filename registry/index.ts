import type { Registry } from "../shared/engine/define/index.ts";
import { accountDesk } from "./agents/account-desk.ts";
import { assistant } from "./agents/assistant.ts";
import { companion } from "./agents/companion.ts";
import { concierge } from "./agents/concierge.ts";
import { frontDesk } from "./agents/front-desk.ts";
import { librarian } from "./agents/librarian.ts";
import { orderIntake } from "./agents/order-intake.ts";
import { refundDesk } from "./agents/refund-desk.ts";
import { parts } from "./parts.ts";
import { supportTeam } from "./teams/support-team.ts";
import { publishReport } from "./workflows/publish-report.ts";

/** What this instance hosts. Add an agent: declare it in a file of its own under `agents/`, and list it here. */
export const registry: Registry = {
  agents: [assistant, refundDesk, concierge, orderIntake, frontDesk, accountDesk, companion, librarian],
  teams: [supportTeam],
  workflows: [publishReport],
  parts,
};
