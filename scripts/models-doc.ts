import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileTreatment } from "../shared/domain/runs/file-treatment.ts";
import { acceptedTypes } from "../shared/domain/runs/media-types.ts";
import { type BehaviourName, behaviours } from "../test/long/models/failures.ts";
import { type FlowName, flows } from "../test/long/models/flows.ts";
import { type Outcomes, outcomesPath } from "../test/long/models/outcomes.ts";

/** docs/models.md, from the outcomes that the tests hold the platform to. */
export function modelsDoc(): string {
  const outcomes: Outcomes = JSON.parse(readFileSync(outcomesPath, "utf8"));
  const names = Object.keys(behaviours) as BehaviourName[];
  return `# When a model misbehaves

\`node scripts/models-doc.ts\` generates this page from \`test/long/models/outcomes.json\`; do not edit it. The tests beside that
file run every flow over every row on a platform with the deployed bundles. The model is a server that speaks the protocol of each
provider: OpenAI (Responses), OpenAI compatible (Chat Completions), Anthropic (Messages) and Amazon Bedrock (Converse).

- **Retries.** A call that fails before its first token is made again, twice unless the agent sets \`retries\`, one and two seconds
  later, and never before the service's \`retry-after\`. If that is more than a minute away, the run waits in the queue; where a
  client waits, it fails at once. What a client
  has been sent is never taken back: a model whose call breaks off later is asked to continue its answer, three times at most. If that
  fails too, or \`retries\` is 0, the run fails, and \`content\` is what had arrived, beside \`error\`.
- **Silence.** A model has 60 seconds to begin its answer (\`MODEL_FIRST_TOKEN_SECONDS\`), and 90 between two parts of it
  (\`MODEL_SILENCE_SECONDS\`); here 6 and 6. After that the call has failed, or the answer has broken off.
- **Empty answers** are asked for once more, then the run fails.
- **Tokens.** What a service does not count, or counts as nothing or as more than there can be, is counted by the platform, and marked
  with \`usage_estimated\` in the metrics.
- **Steps.** A workflow's step is executed again, up to three times, where its model failed and nothing was called yet. A step that
  fails all the same fails the workflow. With \`on_error: "skip"\` the workflow continues with the input of that step, and is ERROR
  where no step succeeds.
- **\`finish_reason\`** is on the run, the message and the events \`ModelRequestCompleted\` and \`RunCompleted\` of an answer that the
  model did not end itself: \`length\`, or \`content-filter\` for a filter of the service or a refusal. Without it the answer is whole.
  An answer that reaches the limit of its output is continued, three times at most, unless the agent sets \`max_output_tokens\`.
- **Tool calls.** What is certain is repaired: a fence, a byte-order mark and quotes around arguments, a text where the schema takes a
  number, a truth value, a list or an object and no text, and the prefix, the case and the hyphens of a name that fits one tool. No bracket is
  guessed, no digit is lost, and the repaired call is what is approved, executed and shown.
- **Other models.** Where an agent has \`fallback_models\` or \`fallback_config\`, another model makes a call that its own has failed, after
  its retries: by \`on_rate_limit\` (429, 529), \`on_context_overflow\`, then \`on_error\`, which also answers outages (408, 409, 5xx, no
  connection, silence); by \`on_refused\` alone where a filter removed the answer. Other refusals of the request or the credential are
  answered by none. A model that answers so stays for 300 seconds, then the agent's own is asked again. An answer that has begun is continued by its model
  once, then by the next. Where all fail, the run says what the first one said.
- **What all know.** Five calls within a minute that find a model unavailable, over all functions, open its breaker for 30 seconds: it is not
  called, but another one of \`fallback_models\` at once. Then one call tries; where it fails too, the breaker stays open twice as long, up to 300
  seconds. A service that asks to slow down (429, 529) is called by none before the time that it names, or for two seconds, then four and so
  on; those that wait start spread over a quarter of that. A background run waits up to a minute in its process; for longer it goes back
  to the queue, which uses up no attempt. A client that waits is answered 503 or, after ten seconds at most, 429, with \`Retry-After\`, and the run is
  ERROR with \`error_type\` \`model_unavailable\` or \`model_throttled\`. This costs one read a second and model in each process, and no write while
  all is well; where it cannot be read, calls are made. \`modelHealth: own\` switches it off.
- **Limits of your own.** \`modelLimits\` says what all functions together ask of a model: requests and tokens a minute, and calls at once. They are
  leased for two seconds at a time. After a 429 half of them are used, and a tenth more every ten seconds. While others wait, one user is given half
  at most.
- **Limits.** At \`tool_call_limit\`, at \`max_steps\` model calls (250), and when the model has called the same with the same result
  \`loop_limit\` times in a row (5; also in a cycle of up to three answers), the model is called once more without tools, and the run
  ends with that answer. Without an answer it fails with \`error_type\` \`tool_call_limit\`, \`max_steps\` or \`loop\`.

**ok** means completed with the whole answer. ×n is the number of requests that the model got for that agent. In \`pause\` it happens
before a person is asked, in \`continue\` afterwards, in \`team\` to a member, in \`workflow\` to the first of two steps.

${names.map((name) => section(name, outcomes[name] ?? {})).join("\n")}
${filesSection()}`;
}

const treatments = {
  native: "as it is",
  text: "its text",
  converted: "converted to text",
  refused: "400",
} as const;

/** What each provider is given of the types that a run accepts. */
function filesSection(): string {
  const providers = ["openai", "openai-compatible", "anthropic", "amazon-bedrock"] as const;
  const rows = acceptedTypes.map(
    (type) => `| ${[type, ...providers.map((one) => treatments[fileTreatment(one, type)])].join(" | ")} |`,
  );
  return `## Files

What a model is given of a user's file. Converted files come with a note that they were, marks of pages, sheets and slides, and at most
200,000 characters; the readers are those of knowledge. What no column can be given is refused when the run is requested, by the file's
name, and so is an empty file. A picture is sent as the type that its bytes have. A file that is given by its address is shown to services
that fetch it; it is refused where it would have to be converted, by Amazon Bedrock, and as a recording. Texts may be in any encoding.

| Type | ${providers.join(" | ")} |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

type Row = NonNullable<Outcomes[BehaviourName]>;

/** The flows that end alike stand in one line. */
function section(name: BehaviourName, row: Row): string {
  const lines = new Map<string, FlowName[]>();
  for (const flow of Object.keys(flows) as FlowName[]) {
    const line = shown(row[flow]);
    if (line !== "") lines.set(line, [...(lines.get(line) ?? []), flow]);
  }
  const rows = [...lines].map(([line, of]) => `| ${of.join(", ")} | ${line} |`);
  return `## ${capitalized(behaviours[name].is)}\n\n| Flows | Outcome |\n| --- | --- |\n${rows.join("\n")}\n`;
}

function shown(outcome: Row[FlowName]): string {
  if (outcome === undefined) return "";
  if (typeof outcome === "string") return escaped(outcome);
  const by = new Map<string, string[]>();
  for (const [provider, one] of Object.entries(outcome)) by.set(one, [...(by.get(one) ?? []), provider]);
  return [...by].map(([one, providers]) => `${providers.join(", ")}: ${escaped(one)}`).join("<br>");
}

const escaped = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const modelsDocPath = join(import.meta.dirname, "../docs/models.md");

if (import.meta.main) writeFileSync(modelsDocPath, modelsDoc());
