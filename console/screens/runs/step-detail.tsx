import { useMemo } from "react";
import { Badge } from "../../parts/badge.tsx";
import { TextOrJson } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { durationText, exactText } from "../../parts/time.tsx";
import type { Step } from "./steps.ts";

const kindNames = { agent: "Run", model: "Model call", tool: "Tool call", step: "Step" };

/** All that is known of one step; of a model call the prompt as the model saw it. */
export function StepDetail({ step }: { readonly step: Step }) {
  const { kind, name, start, duration, failed, input, output, error, metadata = {} } = step;
  return (
    <div className="span-detail">
      <div className="row">
        <h3>{name}</h3>
        <Badge>{kindNames[kind]}</Badge>
        {failed && <Badge tone="bad">Failed</Badge>}
      </div>
      <Facts
        of={[
          ["Began", start === undefined ? undefined : exactText(new Date(start))],
          ["Took", durationText(duration)],
          ...Object.entries(metadata).map(([key, value]) => [nameOf(key), factText(key, value)] as const),
        ]}
      />
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      {input !== undefined && (
        <div className="stack-tight">
          <div className="field-label">{kind === "model" ? "Prompt, as the model saw it" : "Input"}</div>
          {kind === "model" ? <Prompt text={input} /> : <TextOrJson text={input} />}
        </div>
      )}
      {output !== undefined && (
        <div className="stack-tight">
          <div className="field-label">Output</div>
          <TextOrJson text={output} />
        </div>
      )}
    </div>
  );
}

type PromptMessage = { readonly role: string; readonly content?: unknown };

function Prompt({ text }: { readonly text: string }) {
  const messages = useMemo(() => messagesOf(text), [text]);
  if (!messages) return <TextOrJson text={text} />;
  return (
    <div className="prompt">
      {messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prompt's messages have no ids and do not move
        <div key={at} className="prompt-message">
          <div className="field-label">{message.role}</div>
          {typeof message.content === "string" ? (
            <div className="plain-text">{message.content}</div>
          ) : (
            <TextOrJson text={JSON.stringify(message)} />
          )}
        </div>
      ))}
    </div>
  );
}

function messagesOf(text: string): readonly PromptMessage[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return undefined;
    return value.every((one) => typeof one === "object" && one !== null && typeof one.role === "string")
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

const nameOf = (key: string): string => {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const secondsKeys = new Set(["time_to_first_token", "duration"]);

const factText = (key: string, value: unknown): string =>
  secondsKeys.has(key) && typeof value === "number"
    ? durationText(value)
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
