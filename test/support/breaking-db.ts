import type { Db } from "../../shared/stores/db.ts";

/** A store as a process has it that can be killed. */
export type BreakingDb = {
  readonly db: Db;
  /** From now on nothing that this process writes is done. */
  readonly kill: () => void;
  readonly writes: () => number;
};

/**
 * The same store, for a process that dies at its n-th write: before it is done, or after.
 *
 * @param atWrite  none when absent
 * @param counts   what is counted, by the names of commands: writes by default
 */
export function breakingDb(
  db: Db,
  atWrite = Number.POSITIVE_INFINITY,
  when: "before" | "after" = "before",
  counts = /Put|Update|Transact/,
): BreakingDb {
  let writes = 0;
  let isDead = false;
  const client = new Proxy(db.client, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: { constructor: { name: string } }) => {
        if (isDead) throw new Error("this process is dead");
        if (!counts.test(command.constructor.name)) return target.send(command as never);
        writes += 1;
        const isLast = writes >= atWrite;
        if (isLast) isDead = true;
        if (isLast && when === "before") throw new Error("this process is dead");
        const answer = await target.send(command as never);
        if (isLast) throw new Error("this process has just died: its last write was done");
        return answer;
      };
    },
  });
  return {
    db: { ...db, client },
    kill: () => {
      isDead = true;
    },
    writes: () => writes,
  };
}
