import * as v from "valibot";
import { partsCheck } from "../../shared/auth/parts-check.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { invokeFunction } from "../../shared/runtime/functions/invoke-function.ts";
import { tableNames } from "../../shared/settings/table-env.ts";
import { connectDb, isTableActive } from "../../shared/stores/db.ts";
import type { Part } from "./deep-health.ts";

type Env = Parameters<typeof connectDb>[0] & {
  readonly AUTHORIZER_FUNCTION: string;
  readonly RUN_QUEUE_URL: string;
};

/** Loaded on demand: the clients are many times as large as what answers the public routes. */
export function connectParts(env: Env): readonly Part[] {
  const db = connectDb(env);
  const queue = connectRunQueue(env.RUN_QUEUE_URL);
  return [
    { name: "authorizer", answers: authorizerAnswers(env.AUTHORIZER_FUNCTION) },
    ...tableNames.map((name) => ({
      name: `table ${name}`,
      answers: () => isTableActive(db, db.tables[name]),
    })),
    { name: "queue", answers: async () => (await queue.countWaiting()) >= 0 },
  ];
}

const Checked = v.object({ isAuthorized: v.boolean() });

/** The authorizer starts for it, and reads what its decisions need. */
function authorizerAnswers(name: string): Part["answers"] {
  const invoke = invokeFunction(1);
  return async () => {
    const { payload, failed } = await invoke(name, JSON.stringify(partsCheck));
    if (failed) throw new Error("the authorizer failed", { cause: payload });
    return v.parse(Checked, JSON.parse(payload)).isAuthorized;
  };
}
