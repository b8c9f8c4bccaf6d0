import { planCompletion } from "../../domain/knowledge/content-plans.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { Generation, StoredContent, StoredFile } from "../../schemas/knowledge/knowledge-content.ts";
import { getObject } from "../../stores/objects/get-object.ts";
import { chunkKey, generationHash, indexName } from "../chunk-keys.ts";
import { ContentFault } from "../content-fault.ts";
import { readChunks } from "../read-chunks.ts";
import type { Passage } from "../readers/passage.ts";
import { tagError, tagsOf } from "../tags.ts";
import { LEASE_SECONDS, writeLeased } from "./content-lease.ts";
import { fetchFile } from "./fetch-file.ts";
import { OutOfTime } from "./out-of-time.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { duringStep } from "./step-failed.ts";

/** Chunks between two renewals of the lease. */
const BATCH_CHUNKS = 100;
/** A lease that ends sooner is renewed before chunks are written. */
const SAFE_SECONDS = 60;

/**
 * Makes the chunks of a content and writes them. Their keys are derived from the bytes, so a worker that resumes, from
 * the first batch that is not recorded, overwrites the same chunks instead of adding others.
 *
 *   bytes ─▶ chunks ─▶ draft recorded ─▶ batches: embedded, written, recorded ─▶ searches show the draft
 *
 * @param until  epoch milliseconds at which it stops
 * @throws ContentFault, StepFailed, LeaseLost, Superseded, OutOfTime
 */
export async function ingestContent(
  deps: ProcessingDeps,
  leased: StoredContent,
  until: number,
): Promise<StoredContent> {
  const fault = tagError(leased);
  if (fault !== undefined) throw new ContentFault(fault);
  const { content, file } = await fetchFile(deps, leased);
  const index = indexName(content.knowledge_id, deps.embedder.id);
  const hash = generationHash(file.object.sha256, file.filename, content.options, index);
  const { live, draft } = content;
  // The same bytes as before: there is nothing to embed.
  if (live?.hash === hash) {
    return writeLeased(deps, content, (seen, now) => planCompletion(seen, live, seen.tagged_version, now));
  }
  const { content: renewed, chunks } = await readFile(deps, content, file);
  if (draft && (draft.hash !== hash || draft.chunks !== chunks.length))
    return dropDraft(deps, renewed, draft);
  const started = draft
    ? renewed
    : await beginDraft(deps, renewed, { index, hash, chunks: chunks.length, written: 0 });
  return writeChunks(deps, started, chunks, until);
}

/** Reading may take longer than a lease, which is renewed meanwhile. A reading whose lease is lost is stopped. */
async function readFile(
  deps: ProcessingDeps,
  leased: StoredContent,
  { object, ...file }: StoredFile,
): Promise<{ content: StoredContent; chunks: Passage[] }> {
  let content = leased;
  const ended = new AbortController();
  const abandoned = new AbortController();
  const renew = async () => {
    for (;;) {
      await deps.clock.sleep((LEASE_SECONDS * 1_000) / 3, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      content = await writeLeased(deps, content);
    }
  };
  const reading = duringStep("reading it", async () => {
    const bytes = await getObject(deps.db, object);
    return readChunks({ ...file, bytes, options: leased.options }, deps, abandoned.signal);
  });
  const renewing = renew();
  try {
    const chunks = await Promise.race([reading, renewing.then(() => reading)]);
    ended.abort();
    await renewing;
    return { content, chunks };
  } finally {
    ended.abort();
    abandoned.abort(new Error("the lease is lost"));
    await Promise.allSettled([reading, renewing]);
  }
}

/** Chunks of another reading are removed before new ones are written. */
const dropDraft = (deps: ProcessingDeps, content: StoredContent, draft: Generation): Promise<StoredContent> =>
  writeLeased(deps, content, ({ draft: _, ...seen }) => ({ ...seen, stale: [...seen.stale, draft] }));

const beginDraft = (
  deps: ProcessingDeps,
  content: StoredContent,
  draft: Generation,
): Promise<StoredContent> => writeLeased(deps, content, (seen) => ({ ...seen, draft }));

async function writeChunks(
  deps: ProcessingDeps,
  started: StoredContent,
  chunks: readonly Passage[],
  until: number,
): Promise<StoredContent> {
  let leased = started;
  const first = started.draft?.written ?? 0;
  // Chunks that another worker wrote may carry older metadata.
  const tagged = first > 0 ? 0 : started.metadata_version;
  for (let from = first; from < chunks.length; from += BATCH_CHUNKS) {
    if (deps.clock.now() >= until) throw new OutOfTime();
    const batch = chunks.slice(from, from + BATCH_CHUNKS);
    const texts = batch.map(({ text }) => text);
    const vectors = await duringStep("embedding it", () => deps.embedder.embed(texts));
    if ((leased.lease_until ?? 0) - epochSeconds(deps.clock) < SAFE_SECONDS)
      leased = await writeLeased(deps, leased);
    await putBatch(deps, started, from, batch, vectors);
    const written = from + batch.length;
    if (written < chunks.length)
      leased = await writeLeased(deps, leased, (seen) => withWritten(seen, written));
  }
  return writeLeased(deps, leased, (seen, now) => {
    const { draft = started.draft } = seen;
    return draft ? planCompletion(seen, { ...draft, written: draft.chunks }, tagged, now) : seen;
  });
}

/** What got this far begins to count anew: a large content takes more claims than a small one. */
const withWritten = (seen: StoredContent, written: number): StoredContent =>
  seen.draft ? { ...seen, attempt: 1, draft: { ...seen.draft, written } } : seen;

function putBatch(
  { vectors: store }: ProcessingDeps,
  content: StoredContent,
  from: number,
  batch: readonly Passage[],
  vectors: readonly (readonly number[])[],
): Promise<void> {
  const { draft } = content;
  if (!draft) throw new Error("chunks are written for a draft only");
  const tags = tagsOf(content);
  const chunks = batch.map(({ text, about }, i) => {
    const position = from + i + 1;
    const key = chunkKey(content.id, draft.hash, position);
    return { key, vector: vectors[i] ?? [], tags, text, about: { ...about, chunk: position } };
  });
  return duringStep("writing its chunks", () => store.put(draft.index, chunks));
}
