import { backOff } from "../../data/index.ts";
import { isoTime } from "../../domain/iso-time.ts";
import { type Clock, epochSeconds } from "../../runtime/clock.ts";
import { derivedId } from "../../runtime/ids.ts";
import type { Db } from "../../stores/db.ts";
import {
  createOwned,
  getOwned,
  learningIdOf,
  learningKind,
  listOwned,
  memoryKind,
  ownerOf,
  type StoredLearning,
  updateOwned,
  wireLearning,
  wireMemory,
} from "../../stores/owned/index.ts";
import type { Author, Content, MemoryBook, OpenLearnings, Subject } from "../ports/engine-ports.ts";

const MAX_ATTEMPTS = 5;

/** The learnings of one user in the stores. */
export function connectLearnings(db: Db, user_id: string | null | undefined, clock: Clock): OpenLearnings {
  const owner = user_id ?? DEFAULT_OWNER;
  const recordOf = (
    learning_id: string,
    subject: Subject,
    content: Content,
    author: Author,
  ): StoredLearning => ({
    learning_id,
    learning_type: subject.learning_type,
    namespace: subject.namespace ?? null,
    user_id: owner,
    ...author,
    session_id: subject.session_id ?? null,
    entity_id: subject.entity_id ?? null,
    entity_type: subject.entity_type ?? null,
    content: { ...content },
    metadata: null,
    created_at: epochSeconds(clock),
    changed_at_ms: clock.now(),
  });
  return (author) => ({
    now: () => isoTime(epochSeconds(clock)),
    async recall(most) {
      const query = { owners: [owner], sort_order: "desc", page: 1, limit: most } as const;
      const { records } = await listOwned(db, learningKind, query);
      return records.map(wireLearning);
    },
    async revise(subject, revise) {
      const id = learningIdOf({ ...subject, user_id: owner });
      if (id === undefined) throw new Error(`records of ${subject.learning_type} are not revised`);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const seen = await getOwned(db, learningKind, id, owner);
        const content = { ...revise(seen?.content ?? undefined) };
        const isSaved = seen
          ? await updateOwned(db, learningKind, seen, { content }, clock.now(), { onlyIfAsSeen: true })
          : await createOwned(db, learningKind, recordOf(id, subject, content, author));
        if (isSaved) return;
        const existing = await ownerOf(db, learningKind, id);
        if (existing && existing.owner !== owner) throw new Error("This record belongs to another user.");
        await backOff(attempt);
      }
      throw new Error("The record was changed concurrently too often.");
    },
    async add(learning_id, subject, content) {
      await createOwned(db, learningKind, recordOf(learning_id, subject, content, author));
    },
  });
}

/** The owner of memories of runs without a user. */
export const DEFAULT_OWNER = "default";

/** The memories of one user in the stores. */
export function connectMemories(db: Db, user_id: string | null | undefined, clock: Clock): MemoryBook {
  const owner = user_id ?? DEFAULT_OWNER;
  return {
    async list(most) {
      const query = { owners: [owner], sort_order: "desc", page: 1, limit: most } as const;
      const { records } = await listOwned(db, memoryKind, query);
      return records.map(wireMemory);
    },
    async add(key, { memory, topics }, by) {
      const record = {
        memory_id: derivedId(`memory/${key}`),
        memory,
        topics: [...topics],
        ...by,
        user_id: owner,
        created_at: epochSeconds(clock),
        changed_at_ms: clock.now(),
      };
      if (await createOwned(db, memoryKind, record)) return wireMemory(record);
      const known = await getOwned(db, memoryKind, record.memory_id, owner);
      return wireMemory(known ?? record);
    },
    async update(memory_id, { memory, topics }) {
      const before = await getOwned(db, memoryKind, memory_id, owner);
      const change = { memory, topics: [...topics] };
      const updated = before && (await updateOwned(db, memoryKind, before, change, clock.now()));
      return updated && wireMemory(updated);
    },
  };
}
