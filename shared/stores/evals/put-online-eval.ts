import { isNew } from "../../data/guard.ts";
import { type Put, putItem } from "../../data/writes.ts";
import { evalItem, type StoredEval } from "./eval-item.ts";
import { evalDue } from "./eval-keys.ts";

/** The write of the evaluation of a run, with the run's end, once. It is due at once: no message is sent for it. */
export const putOnlineEval = (record: StoredEval): Put =>
  putItem("evals", { ...evalItem(record), ...evalDue.attributes(record.id, record.created_at) }, isNew);
