import { epochSeconds } from "../../runtime/clock.ts";
import type { ContentStatus, StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { getContents } from "../../stores/knowledge/content-item.ts";
import { wake } from "../add-content.ts";
import { type LeasedDeps, releaseContent } from "./content-lease.ts";

/** Interval at which the contents of a folder or a site are checked. */
const POLL_SECONDS = 5;

/**
 * What became of the contents that another one consists of.
 *
 * @returns undefined while some are processed: the lease is released then, and a message asks again later
 */
export async function awaitChildren(
  deps: LeasedDeps,
  content: StoredContent,
  ids: readonly string[],
): Promise<ContentStatus[] | undefined> {
  const children = await getContents(deps.db, content.knowledge_id, ids);
  const statuses = ids.map((id) => children.get(id)?.status ?? "completed"); // a removed one is done
  if (!statuses.includes("processing")) return statuses;
  await releaseContent(deps, content, epochSeconds(deps.clock) + 2 * POLL_SECONDS);
  await wake(deps, content, POLL_SECONDS);
  return undefined;
}
