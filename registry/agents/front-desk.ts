import { defineAgent } from "@agentplatform/core";
import { askUser } from "../tools/ask-user.ts";
import { bookTable } from "../tools/book-table.ts";
import { payInvoice } from "../tools/pay-invoice.ts";
import { readDeviceFile } from "../tools/read-device-file.ts";
import { sendLetter } from "../tools/send-letter.ts";

/** Has one tool for every way in which a run may wait for a person. */
export const frontDesk = defineAgent({
  id: "front-desk",
  name: "Front desk",
  description: "Books, pays and writes letters, and asks whenever a person has to decide.",
  instructions: "Ask the user where a choice is open. Never guess what only a person can know.",
  tools: [askUser, bookTable, payInvoice, readDeviceFile, sendLetter],
  quick_prompts: ["Book a table at Olivo.", "Pay invoice 2041 over 80."],
});
