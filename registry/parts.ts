import type { RegisteredParts } from "@agentplatform/core";
import { outline } from "./functions/outline.ts";
import { contact } from "./schemas/contact.ts";
import { addNumbers } from "./tools/add-numbers.ts";
import { askUser } from "./tools/ask-user.ts";
import { drawBadge } from "./tools/draw-badge.ts";
import { getTime } from "./tools/get-time.ts";
import { issueRefund } from "./tools/issue-refund.ts";

/** The parts from which stored components are built. Their authors can use all of these, and nothing else. */
export const parts: RegisteredParts = {
  tools: [addNumbers, askUser, drawBadge, getTime, issueRefund],
  models: [],
  schemas: { contact },
  functions: { outline },
};
