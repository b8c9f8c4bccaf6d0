import * as v from "valibot";
import type { RegisteredParts, Registry } from "../../../shared/engine/define/index.ts";
import {
  accountDesk,
  assistant,
  companion,
  concierge,
  frontDesk,
  librarian,
  orderIntake,
  refundDesk,
} from "./agents.ts";
import { addNumbers, drawBadge, getTime } from "./plain-tools.ts";
import { publishReport } from "./publish-report.ts";
import { supportTeam } from "./support-team.ts";
import { askUser, issueRefund } from "./waiting-tools.ts";

/** What stored components of tests are made from. */
const parts: RegisteredParts = {
  tools: [addNumbers, askUser, drawBadge, getTime, issueRefund],
  models: [],
  schemas: {
    contact: v.pipe(v.object({ name: v.string(), email: v.string() }), v.title("Contact")),
  },
  functions: {
    is_long: ({ previous }) => String(previous).length > 80,
    outline: ({ previous }) => `Outline: ${String(previous)}`,
  },
};

/**
 * The registry of all platforms that tests start without naming another one, and of the functions that they call in
 * process. It stands beside `registry/`, which belongs to the owner of the clone.
 */
export const registry: Registry = {
  agents: [assistant, refundDesk, concierge, orderIntake, frontDesk, accountDesk, companion, librarian],
  teams: [supportTeam],
  workflows: [publishReport],
  parts,
};
