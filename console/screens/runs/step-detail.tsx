import type { Message } from "../../../client/index.ts";
import { costText, countText } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/id.tsx";
import { LongTextOrJson } from "../../parts/json.tsx";
import { LongText } from "../../parts/long-text.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { durationText, exactText } from "../../parts/time.tsx";
import type { Step } from "./steps.ts";
import { kindNames } from "./waterfall.tsx";

type StepDetailProps = {
  readonly step: Step;
  /** All messages that the model was given, where they are known. */
  readonly prompt?: readonly Message[] | undefined;
  /** Of this step, to send to others. */
  readonly address: string;
};

/** All that is known of one step; of a model call the prompt as the model saw it. */
export function StepDetail({ step, prompt, address }: StepDetailProps) {
  const { kind, name, start, duration, failed, isRunning, input, output, error, usage, metadata = {} } = step;
  return (
    <div className="span-detail">
      <div className="row">
        <h2 className="span-title">{name}</h2>
        <CopyButton text={address} label="Copy the address of this step" />
        <Badge tone="plain">{kindNames[kind]}</Badge>
        {failed && <Badge tone="bad">Failed</Badge>}
        {isRunning && <Badge tone="busy">Running</Badge>}
      </div>
      {failed && <Notice tone="bad">{error ?? output ?? "It failed without an error text."}</Notice>}
      <Facts
        of={[
          ["Began", start === undefined ? undefined : exactText(new Date(start))],
          ["Took", isRunning ? undefined : durationText(duration)],
          ["Tokens in", countOr(usage?.input_tokens)],
          ["Tokens out", countOr(usage?.output_tokens)],
          ["Cost", usage && costText(usage)],
          ...Object.entries(metadata)
            .filter(([key]) => !shownElsewhere.has(key))
            .map(([key, value]) => [nameOf(key), factText(key, value)] as const),
        ]}
      />
      {prompt ? (
        <div className="stack-tight">
          <div className="field-label">Prompt, as the model saw it</div>
          <Prompt messages={prompt} />
        </div>
      ) : (
        input !== undefined && (
          <div className="stack-tight">
            <div className="field-label">{kind === "model" ? "What was new in the prompt" : "Input"}</div>
            <LongTextOrJson text={input} label="Input" />
          </div>
        )
      )}
      {output !== undefined && (
        <div className="stack-tight">
          <div className="field-label">Output</div>
          <LongTextOrJson text={output} label="Output" />
        </div>
      )}
    </div>
  );
}

function Prompt({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <div className="prompt">
      {messages.map(({ id, role, content, tool_calls, tool_name }) => (
        <div key={id} className="prompt-message">
          <div className="field-label">{role === "tool" ? `tool ${tool_name ?? ""}` : role}</div>
          {content !== undefined && (
            <LongText text={content} label={role}>
              {(part) => (
                <div className="plain-text" dir="auto">
                  {part}
                </div>
              )}
            </LongText>
          )}
          {tool_calls?.map((call) => (
            <div key={call.id} className="mono plain-text">
              {call.function.name}({call.function.arguments})
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const nameOf = (key: string): string => {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What the title, the input and the facts before them show already. */
const shownElsewhere = new Set([
  "tool_name",
  "parameters",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cost",
  "duration",
]);

const countOr = (count: number | undefined) => (count === undefined ? undefined : countText(count));

const secondsKeys = new Set(["time_to_first_token", "duration"]);

const factText = (key: string, value: unknown): string =>
  secondsKeys.has(key) && typeof value === "number"
    ? durationText(value)
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
