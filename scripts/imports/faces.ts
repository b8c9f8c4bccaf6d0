/** Families of stores that have a face. */
const families = [
  "chats",
  "databases",
  "evals",
  "metrics",
  "outbox",
  "owned",
  "schedules",
  "traces",
  "users",
];

/**
 * Rooms with a face: the only files of a room that the rest of the product may import. Tests, benchmarks and scripts may look
 * inside, and the families of stores one another. `shared/package.json` promises that modules do nothing by being loaded, so a bundle leaves out what it does not use of a face.
 * The exception is what a module loads on demand: the bundler emits that for each module that it sees, used or not. What loads
 * packages on demand, or is loaded so itself, has a second face.
 */
export const faces: Readonly<Record<string, readonly string[]>> = {
  "shared/runs/": ["shared/runs/index.ts", "shared/runs/worker.ts"],
  "shared/runnables/": ["shared/runnables/index.ts"],
  "shared/data/": ["shared/data/index.ts"],
  "shared/work/": ["shared/work/index.ts"],
  "shared/outbound/": ["shared/outbound/index.ts", "shared/outbound/sending.ts"],
  "shared/chat/": ["shared/chat/index.ts"],
  "shared/knowledge/": [
    "shared/knowledge/index.ts",
    "shared/knowledge/configured.ts",
    "shared/knowledge/intake.ts",
    "shared/knowledge/reading.ts",
  ],
  "shared/evals/": ["shared/evals/index.ts", "shared/evals/worker.ts"],
  ...Object.fromEntries(
    families.map((name) => [`shared/stores/${name}/`, [`shared/stores/${name}/index.ts`]]),
  ),
  "shared/stores/databases/": [
    "shared/stores/databases/index.ts",
    "shared/stores/databases/without-store.ts",
  ],
};

/** The folder whose files may import a room's internals: of a family of stores all stores, whose records are written together. */
export const insideOf = (room: string): string =>
  room.startsWith("shared/stores/") ? "shared/stores/" : room;
