import type { FunctionName, Needs } from "./needs.ts";
import { chunkWriting, paying, publishing, recording } from "./shared-needs.ts";

/** Functions of what is kept beyond a run: sessions, components, knowledge, evaluations. */
export const records = {
  runnables: {
    tables: {
      components: {
        actions: ["GetItem", "BatchGetItem", "Query"],
        indexes: ["by_audience", "by_type"],
      },
    },
  },
  components: {
    tables: {
      ...recording,
      components: {
        actions: [
          "GetItem",
          "BatchGetItem",
          "Query",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "ConditionCheckItem",
        ],
        indexes: ["by_audience", "by_type"],
      },
      // Whether a version was evaluated, before it is published.
      evals: { actions: ["Query", "BatchGetItem"] },
      // Archiving a component disables its schedules.
      schedules: { actions: ["Query", "GetItem", "BatchGetItem", "PutItem", "UpdateItem"] },
      ...publishing,
    },
    deliveryQueue: ["SendMessage"],
  },
  sessions: {
    tables: {
      ...recording,
      runs: { actions: ["GetItem", "Query"] },
      sessions: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
      components: { actions: ["GetItem"] },
      ...paying,
    },
    objects: ["GetObject", "PutObject"],
    deadLetters: ["SendMessage"],
    model: true,
  },
  approvals: {
    tables: {
      ...recording,
      approvals: { actions: ["GetItem", "DeleteItem"], indexes: ["by_status", "by_user"] },
    },
  },
  traces: {
    tables: {
      ...recording,
      traces: {
        actions: ["Query", "BatchGetItem", "GetItem", "PutItem"],
        indexes: ["by_owner", "by_opening", "by_component", "by_session", "by_failure"],
      },
      // To find the owner of a session that an admin requests by its id alone.
      sessions: { actions: ["GetItem"] },
    },
    objects: ["GetObject"],
  },
  memories: {
    tables: {
      ...recording,
      memories: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening"],
      },
      ...paying,
    },
    model: true,
  },
  learnings: {
    tables: {
      ...recording,
      learnings: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening"],
      },
    },
  },
  evals: {
    tables: {
      ...recording,
      evals: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"],
        indexes: ["by_owner", "by_opening"],
      },
      components: { actions: ["GetItem"] },
      // Cases are made of runs, with what was said about them.
      runs: {
        actions: ["GetItem", "BatchGetItem", "Query"],
        indexes: ["by_owner", "by_opening", "by_component", "by_status"],
      },
      sessions: { actions: ["GetItem", "BatchGetItem"] },
      feedback: { actions: ["BatchGetItem", "Query"] },
      ...publishing,
    },
    objects: ["GetObject"],
    evalObjects: ["GetObject", "PutObject"],
    evalQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
  },
  feedback: {
    tables: {
      ...recording,
      feedback: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening", "by_component"],
      },
      runs: { actions: ["GetItem"] },
      sessions: { actions: ["GetItem", "ConditionCheckItem"] },
      ...publishing,
    },
    // Messages of a run that are too large for its record.
    objects: ["GetObject"],
    deliveryQueue: ["SendMessage"],
    webhookSecret: true,
    spans: true,
  },
  knowledge: {
    tables: {
      ...recording,
      knowledge: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_base"],
      },
      chunks: { actions: [...chunkWriting, "Query"] },
    },
    // It updates the metadata of small contents' chunks itself, and may have to remove chunks then.
    contents: ["GetObject", "PutObject", "DeleteObject"],
    uploads: ["GetObject", "PutObject"],
    knowledgeQueue: ["SendMessage"],
    vectors: ["CreateIndex", "PutVectors", "GetVectors", "DeleteVectors", "QueryVectors"],
    words: ["GetObject", "PutObject", "DeleteObject"],
    sources: ["GetObject", "ListBucket"],
  },
  "knowledge-worker": {
    tables: {
      // In addition to contents, the slots and the waiting ones of each user.
      knowledge: { actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] },
      chunks: { actions: [...chunkWriting, "Query"] },
    },
    contents: ["GetObject", "PutObject", "DeleteObject"],
    uploads: ["GetObject"],
    knowledgeQueue: ["SendMessage"],
    vectors: ["CreateIndex", "PutVectors", "GetVectors", "DeleteVectors"],
    words: ["GetObject", "PutObject", "DeleteObject"],
    sources: ["GetObject", "ListBucket"],
  },
} as const satisfies Partial<Record<FunctionName, Needs>>;
