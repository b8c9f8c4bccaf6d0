import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { type clientOf, framesOf } from "../../../test/support/client.ts";
import type { HostileModel } from "../../../test/support/hostile-model/start-hostile-model.ts";
import { type Answered, callText } from "./answered.ts";
import type { Recording } from "./recordings.ts";

/** What follows where the recorded answer has calls. */
const NEXT = "And that is all.";

/**
 * Plays a recording to an agent whose client asks for a stream.
 *
 * @returns what differs between the recording and what the run has of it, in words; nothing where it is the same
 */
export async function play(
  { name, provider, body, says }: Recording,
  model: HostileModel,
  client: ReturnType<typeof clientOf>,
): Promise<string[]> {
  const plan = `plan-recorded-${provider}-${name.replace(/[^a-z0-9]+/g, "-")}`;
  const planned = model.plan(plan, (_, at) =>
    says.fails || at === 0 ? { recorded: body } : { text: [NEXT] },
  );
  const session_id = crypto.randomUUID();
  const path = `/agents/${provider}-clerk/runs`;
  const streamed = framesOf(
    (await client.post(path, { form: { message: plan, session_id, stream: "true" } })).text,
  );
  const run: RunOutput = (await client.get(`${path}/${streamed[0]?.data.run_id}?session_id=${session_id}`))
    .json;
  if (failsFor(says))
    return run.status === "ERROR" ? [] : [`there is no answer, and the run is ${run.status}`];
  if (run.status !== "COMPLETED") return [`${run.status}: ${JSON.stringify(run.content)}`];
  const answers = (run.messages ?? []).filter(({ role }) => role === "assistant");
  const deltas = streamed.flatMap(({ event, data }) =>
    event === "RunContent" ? [String(data.content)] : [],
  );
  const said = answers.map(({ content = "" }) => content).join("");
  const requests = says.calls.length > 0 ? 2 : 1;
  return [
    ...differences({ ...says, ...counted(says) }, answers[0] && answerOf(answers[0])),
    ...(deltas.join("") === said ? [] : [`streamed ${shown(deltas.join(""))}, stored ${shown(said)}`]),
    ...(planned.requests.length === requests
      ? []
      : [`${planned.requests.length} requests in place of ${requests}`]),
  ];
}

/** A refusal without a text leaves no answer. */
const failsFor = ({ fails, text, finish_reason }: Answered): boolean =>
  fails || (text === "" && finish_reason === "content-filter");

/** A service that counts nothing does not count: the platform does. */
const counted = ({
  input_tokens,
  output_tokens,
}: Partial<Pick<Answered, "input_tokens" | "output_tokens">>) =>
  input_tokens && output_tokens
    ? { input_tokens, output_tokens }
    : { input_tokens: undefined, output_tokens: undefined };

type Stored = Omit<Answered, "fails">;

const answerOf = ({
  content = "",
  tool_calls = [],
  metrics,
  finish_reason,
}: NonNullable<RunOutput["messages"]>[number]): Stored => ({
  text: content,
  calls: tool_calls.map(({ function: { name, arguments: written } }) => callText(name, written)),
  ...counted(metrics?.usage_estimated ? {} : (metrics ?? {})),
  finish_reason,
});

function differences(says: Answered, stored: Stored | undefined): string[] {
  if (!stored) return ["no answer is stored"];
  const names = ["text", "calls", "input_tokens", "output_tokens", "finish_reason"] as const;
  return names
    .filter((name) => JSON.stringify(says[name]) !== JSON.stringify(stored[name]))
    .map((name) => `${name}: ${shown(says[name])} is recorded, ${shown(stored[name])} is stored`);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 120);
