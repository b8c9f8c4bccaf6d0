import { present } from "../../data/guard.ts";
import { isCounted, MAX_ATTEMPTS, pendingTaskOf } from "../../domain/knowledge/content-plans.ts";
import { defineWork } from "../../work/define-work.ts";
import { doubling } from "../../work/doubling.ts";
import { type ContentAddress, contentDue, contentFrom, contentKey } from "./content-item.ts";

/**
 * A content with something to do: what, follows from the record. So a claim has the version that was read as a condition,
 * and the steps of a worker are writes of the whole content, see `content-lease.ts`.
 */
export const contentWork = defineWork({
  kind: "content",
  table: "knowledge",
  keyOf: (address: ContentAddress) => contentKey(address),
  read: contentFrom,
  open: { version: present },
  lease: { holder: "lease_token", time: "lease_until", seconds: 120, renewals: 3, settlingSeconds: 1 },
  retry: {
    stalls: "attempt",
    stallsOf: (content) => (isCounted(pendingTaskOf(content)) ? content.attempt : 0),
    most: MAX_ATTEMPTS,
    delaySeconds: doubling({ base: 1, most: 300 }),
  },
  due: contentDue,
  message: ({ knowledge_id, id }) => ({ knowledge_id: String(knowledge_id), id: String(id) }),
});
