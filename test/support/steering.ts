import type { Models } from "../../shared/engine/model/models.ts";
import { sendRunMessage } from "../../shared/runs/messages/send-run-message.ts";
import { listInbox, type StoredMessage } from "../../shared/stores/runs/inbox-item.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { QueueWorld } from "./queue-world.ts";
import { watchedModels } from "./simulated/agents.ts";

type RunRef = { readonly run_id: string; readonly session_id: string };

export const MARIA = { kind: "user", user_id: "maria", scopes: ["agents:run"], admin: false } as const;

/** Says something to a run of the world's assistant. @returns the message; `late` where the run has ended */
export async function say(
  world: QueueWorld,
  ref: RunRef,
  message_id: string,
  more: { readonly if_ended?: "run" | "reject"; readonly content?: string } = {},
) {
  const run = await world.run(ref);
  const agent = world.agent("assistant");
  if (!run || !agent) throw new Error(`no run ${ref.run_id}`);
  const { if_ended = "run", content = `say ${message_id}` } = more;
  const ended = { message_id, state: "moved", late: true } as const;
  const sent = { message_id, content, media: {}, if_ended };
  return sendRunMessage(world, MARIA, agent, run, sent, async () => ended);
}

/** Models that call something back before each of their calls. @param called gets the number of the call, from 1 */
export function interruptedModels(models: Models, called: (call: number) => Promise<unknown>): Models {
  let calls = 0;
  const watched = watchedModels(models, { acts: () => undefined });
  return {
    describe: watched.describe,
    resolve: async (spec) => {
      const resolved = await watched.resolve(spec);
      const doStream: typeof resolved.model.doStream = async (options) => {
        calls += 1;
        await called(calls);
        return resolved.model.doStream(options);
      };
      return { ...resolved, model: { ...resolved.model, doStream } };
    },
  };
}

/** What a run's transcript has, and in which order: text of users and models, names of tools. */
export const saidTo = (run: Pick<StoredRun, "output"> | undefined): string[] =>
  (run?.output.messages ?? []).flatMap(({ role, content = "", from_history }) =>
    from_history || role === "system" ? [] : [`${role}: ${content.split("\n")[0]}`],
  );

/** The states of a run's messages by their ids. */
export async function statesOf(
  world: Pick<QueueWorld, "db">,
  { run_id }: RunRef,
): Promise<Record<string, string>> {
  const all = await listInbox(world.db, run_id);
  return Object.fromEntries(all.map(({ message_id, state }: StoredMessage) => [message_id, state]));
}
