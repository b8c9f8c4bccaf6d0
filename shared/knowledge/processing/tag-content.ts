import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { chunkKeys } from "../chunk-keys.ts";
import { tagsOf } from "../tags.ts";
import { writeLeased } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { duringStep } from "./step-failed.ts";

const BATCH_CHUNKS = 100;

/** Writes a content's current metadata to all of its chunks: they are read and written again. */
export async function tagContent(deps: ProcessingDeps, content: StoredContent): Promise<StoredContent> {
  const { live, metadata_version } = content;
  if (!live) return content;
  const tags = tagsOf(content);
  let leased = content;
  for (let from = 1; from <= live.chunks; from += BATCH_CHUNKS) {
    const keys = chunkKeys(content.id, live, from, Math.min(from + BATCH_CHUNKS - 1, live.chunks));
    await duringStep("changing its metadata", async () => {
      const chunks = await deps.vectors.get(live.index, keys);
      await deps.vectors.put(
        live.index,
        chunks.map((chunk) => ({ ...chunk, tags })),
      );
    });
    if (from + BATCH_CHUNKS <= live.chunks) leased = await writeLeased(deps, leased);
  }
  return writeLeased(deps, leased, (seen) => ({ ...seen, tagged_version: metadata_version }));
}
