import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";

const Started = v.object({ address: v.string(), moto: v.string() });
const Answer = v.object({
  /** Whether the imitation has this type. */
  known: v.optional(v.boolean()),
  ref: v.optional(v.string()),
  refused: v.optional(v.string()),
  value: v.optional(v.unknown()),
});
export type Answer = v.InferOutput<typeof Answer>;

export type Asked = {
  readonly do: "create" | "update" | "delete" | "attribute" | "versions";
  readonly [parameter: string]: unknown;
};

/** The imitation of AWS: moto, in a process of its own. `imitation.py` says what it can be asked. */
export type Imitation = {
  /** Of every service. */
  readonly address: string;
  readonly version: string;
  readonly ask: (asked: Asked) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

export async function startImitation(python: string): Promise<Imitation> {
  const child = spawn(python, [join(import.meta.dirname, "imitation.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the imitation of AWS has ended");
    return JSON.parse(value);
  };
  const { address, moto } = v.parse(Started, await next());
  let last: Promise<unknown> = Promise.resolve();
  return {
    address,
    version: moto,
    // One after the other: answers come in the order of the questions.
    ask(asked) {
      const answer = last.then(async () => {
        child.stdin.write(`${JSON.stringify(asked)}\n`);
        return v.parse(Answer, await next());
      });
      last = answer.catch(() => {});
      return answer;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
