import { pageIdsOf } from "../../domain/knowledge/content-plans.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { ContentFault } from "../content-fault.ts";
import { markAllRemoved } from "../mark-removed.ts";
import { awaitChildren } from "./await-children.ts";
import { type LeasedDeps, writeLeased } from "./content-lease.ts";

/**
 * Waits until all pages of a visited site have ended, and removes those of an earlier visit that it has no more.
 *
 * @returns the content; undefined while it waits
 * @throws ContentFault when no page could be read: then pages of an earlier visit stay
 */
export async function gatherSite(
  deps: LeasedDeps,
  content: StoredContent,
): Promise<StoredContent | undefined> {
  const { input } = content;
  if (input.kind !== "site") throw new Error("only a site is gathered here");
  const ids = pageIdsOf(input);
  const statuses = await awaitChildren(deps, content, ids);
  if (!statuses) return undefined;
  const failed = statuses.filter((status) => status === "failed").length;
  if (failed === statuses.length) throw new ContentFault("No page of the site could be read.");
  const current = new Set(ids);
  const gone = (input.before ?? []).filter((id) => !current.has(id));
  await markAllRemoved(deps, content.knowledge_id, gone);
  const status_message = [
    failed > 0 && `${failed} of ${statuses.length} pages could not be read.`,
    input.more && `The site has more than ${input.pages?.length} pages; max_pages allows more.`,
  ]
    .filter(Boolean)
    .join(" ");
  return writeLeased(deps, content, (seen, now) => ({
    ...seen,
    status: "completed",
    status_message,
    updated_at: now,
    input: seen.input.kind === "site" ? { ...seen.input, before: [] } : seen.input,
  }));
}
