import type { Db } from "../../shared/stores/db.ts";

type Sent = { readonly constructor: { readonly name: string }; readonly input: unknown };

/** The same store with an observer in front of it, who may wait before a call goes through and look at its answer. */
export function watchedDb(
  db: Db,
  watch: {
    readonly before?: (command: Sent) => Promise<unknown>;
    readonly after?: (command: Sent, answer: unknown) => void;
  },
): Db {
  const client = new Proxy(db.client, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: Sent) => {
        await watch.before?.(command);
        const answer = await target.send(command as never);
        watch.after?.(command, answer);
        return answer;
      };
    },
  });
  return { ...db, client };
}
