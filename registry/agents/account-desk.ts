import { defineAgent } from "../../shared/engine/define/index.ts";
import { changeAddress } from "../tools/change-address.ts";
import { closeAccount } from "../tools/close-account.ts";
import { fileComplaint } from "../tools/file-complaint.ts";
import { lookUpMeter } from "../tools/look-up-meter.ts";

export const accountDesk = defineAgent({
  id: "account-desk",
  name: "Account desk",
  description: "Looks after accounts together with the people who answer for them.",
  tools: [closeAccount, changeAddress, fileComplaint, lookUpMeter],
  quick_prompts: ["Close account K-7."],
});
