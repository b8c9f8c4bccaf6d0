import { planCompletion, UNTAGGED } from "../../domain/knowledge/content-plans.ts";
import type { Generation, StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { objectBlocks } from "../../stores/objects/object-bytes.ts";
import { chunkKey, generationHash, indexName } from "../chunk-keys.ts";
import { ContentFault } from "../content-fault.ts";
import { WORDS_VERSION } from "../lexical/words-of.ts";
import { type ChunkBatch, readChunks, shownFiles } from "../read-chunks.ts";
import type { Passage } from "../readers/passage.ts";
import { tagError, tagsOf } from "../tags.ts";
import { type LeasedDeps, whileLeased, writeLeased } from "./content-lease.ts";
import { fetchFile } from "./fetch-file.ts";
import { OutOfTime } from "./out-of-time.ts";
import { putWords } from "./put-words.ts";
import { duringStep } from "./step-failed.ts";

/** Chunks that are embedded and written together. */
const BATCH_CHUNKS = 100;

/**
 * Makes the chunks of a content and writes them as they come, so that a file may be much larger than the memory. Their
 * keys are derived from the bytes, so a worker that resumes reads the file again, passes over the chunks that are
 * recorded as written, and overwrites the same chunks instead of adding others.
 *
 *   blocks ─▶ parts ─▶ chunks ─▶ batches: embedded, written, recorded in the draft ─▶ searches show the draft
 *
 * @param until  epoch milliseconds at which it stops
 * @throws ContentFault, StepFailed, LeaseLost, Superseded, OutOfTime
 */
export async function ingestContent(
  deps: LeasedDeps,
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
    // Chunks from before there was an index of words get into it with their metadata.
    const lacksWords = live.words !== WORDS_VERSION;
    return writeLeased(deps, content, (seen, now) =>
      planCompletion(seen, live, lacksWords ? UNTAGGED : seen.tagged_version, now),
    );
  }
  if (draft && (draft.hash !== hash || draft.words !== WORDS_VERSION)) return dropDraft(deps, content, draft);
  const abandoned = new AbortController();
  const { object, ...named } = file;
  const toRead = {
    ...named,
    bytes: object.bytes,
    blocks: objectBlocks(deps.db, object),
    options: content.options,
  };
  const reading = readChunks(toRead, deps, abandoned.signal);
  try {
    const first = await readNext(deps, reading);
    const begun = content.draft
      ? content
      : await beginDraft(deps, content, {
          ...{ index, hash, chunks: BATCH_CHUNKS, written: 0 },
          words: WORDS_VERSION,
        });
    return await writeChunks(deps, begun, { first, reading }, until);
  } finally {
    abandoned.abort(new Error("the reader has stopped"));
    await reading.return(undefined).catch(() => undefined);
  }
}

type Reading = AsyncGenerator<ChunkBatch, undefined>;
const readNext = (deps: LeasedDeps, reading: Reading): Promise<ChunkBatch | undefined> =>
  whileLeased(
    deps,
    duringStep("reading it", async () => (await reading.next()).value),
  );

/** Chunks of another reading are removed before new ones are written. */
const dropDraft = (deps: LeasedDeps, content: StoredContent, draft: Generation): Promise<StoredContent> =>
  writeLeased(deps, content, ({ draft: _, ...seen }) => ({ ...seen, stale: [...seen.stale, draft] }));

const beginDraft = (deps: LeasedDeps, content: StoredContent, draft: Generation): Promise<StoredContent> =>
  writeLeased(deps, content, (seen) => ({ ...seen, draft }));

type Chunks = { readonly first: ChunkBatch | undefined; readonly reading: Reading };

async function writeChunks(
  deps: LeasedDeps,
  started: StoredContent,
  { first, reading }: Chunks,
  until: number,
): Promise<StoredContent> {
  const { draft } = started;
  if (!draft) throw new Error("chunks are written for a draft only");
  let leased = started;
  let [read, written] = [0, draft.written];
  let waiting: Passage[] = [];
  let skipped: readonly string[] = [];
  const write = async (share: number) => {
    if (deps.clock.now() >= until) throw new OutOfTime();
    const batch = waiting.slice(0, BATCH_CHUNKS);
    waiting = waiting.slice(BATCH_CHUNKS);
    await putBatch(deps, leased, { draft, from: written, batch });
    written += batch.length;
    const total = Math.max(written, Math.round(read / Math.max(share, Number.EPSILON)));
    return total;
  };
  for (let batch = first; batch !== undefined; ) {
    const { chunks, share } = batch;
    // What another worker has written is read again to get to the rest.
    waiting = waiting.concat(chunks.slice(Math.max(0, draft.written - read)));
    read += chunks.length;
    skipped = batch.skipped;
    while (waiting.length >= BATCH_CHUNKS) {
      const total = await write(share);
      leased = await writeLeased(deps, leased, (seen) => withWritten(seen, written, total));
    }
    batch = await readNext(deps, reading);
  }
  if (waiting.length > 0) await write(1);
  // Read otherwise than before: what was written of it cannot be distinguished from the rest.
  if (read < draft.written) return dropDraft(deps, leased, draft);
  const done = { ...draft, chunks: written, written };
  // Chunks that another worker wrote may carry older metadata.
  const tagged = draft.written > 0 ? 0 : started.metadata_version;
  const message = skipped.length === 0 ? "" : `Not read: ${shownFiles(skipped)}.`;
  return writeLeased(deps, leased, (seen, now) => planCompletion(seen, done, tagged, now, message));
}

/**
 * What got this far begins to count anew: a large content takes more claims than a small one. The draft names the chunks
 * that the next batch may write, so that none is left when its worker dies.
 *
 * @param total  how many chunks there will be, as far as it is known
 */
const withWritten = (seen: StoredContent, written: number, total: number): StoredContent =>
  seen.draft
    ? {
        ...seen,
        attempt: 1,
        status_message: `${shownNumber(written)} of about ${shownNumber(total)} chunks`,
        draft: { ...seen.draft, written, chunks: written + BATCH_CHUNKS },
      }
    : seen;

const shownNumber = (n: number): string => n.toLocaleString("en-US");

type Batch = { readonly draft: Generation; readonly from: number; readonly batch: readonly Passage[] };

/** Embeds and writes a batch. */
async function putBatch(
  deps: LeasedDeps,
  content: StoredContent,
  { draft, from, batch }: Batch,
): Promise<void> {
  const texts = batch.map(({ text }) => text);
  const vectors = await duringStep("embedding it", () => deps.embedder.embed(texts));
  // Chunks are written without a condition.
  deps.lease.loseIfOver();
  deps.lease.signal.throwIfAborted();
  const tags = tagsOf(content);
  const chunks = batch.map(({ text, about }, i) => {
    const position = from + i + 1;
    const key = chunkKey(content.id, draft.hash, position);
    return { key, vector: vectors[i] ?? [], tags, text, about: { ...about, chunk: position } };
  });
  await duringStep("writing its chunks", () => deps.vectors.put(draft.index, chunks));
  await duringStep("writing its words", () => putWords(deps.words, content, draft, from, batch));
}
