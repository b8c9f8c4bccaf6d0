import { useContext, useMemo } from "react";
import type { Message, RunOutput, ToolExecution } from "../../client/index.ts";
import { cachedText, countOf, countText } from "../parts/amounts.ts";
import { durationText } from "../parts/time.tsx";
import { Answer, Bubble, Folded, MediaOf, Written } from "./message.tsx";
import { MessageFoot } from "./message-foot.ts";
import { callOf, type ShownCall, ToolCall } from "./tool-call.tsx";

/** As much of a run as its conversation takes. */
export type SaidRun = Pick<RunOutput, "content" | "agent_name" | "team_name"> & {
  readonly input: Pick<RunOutput["input"], "input_content" | "images" | "audios" | "videos" | "files">;
  readonly messages?: RunOutput["messages"] | undefined;
  readonly tools?: RunOutput["tools"] | undefined;
  readonly member_responses?: RunOutput["member_responses"] | undefined;
};

type ThreadProps = {
  readonly run: SaidRun;
  readonly session: string;
};

/** What a run of an agent or a team said and did, in order; what it took over from earlier runs is folded. */
export function Thread({ run, session }: ThreadProps) {
  const { messages = [] } = run;
  const tools = useMemo(
    () => new Map((run.tools ?? []).map((tool) => [tool.tool_call_id, tool])),
    [run.tools],
  );
  const name = run.agent_name ?? run.team_name ?? "Agent";
  const system = messages.filter(({ role }) => role === "system");
  const history = messages.filter(({ role, from_history }) => from_history && role !== "system");
  const own = messages.filter(({ role, from_history }) => !from_history && role !== "system");
  if (messages.length === 0) return <WithoutMessages run={run} session={session} name={name} />;
  return (
    <div className="thread">
      {system.length > 0 && (
        <Folded
          title={`System message, ${countText(system.reduce((sum, { content = "" }) => sum + content.length, 0))} characters`}
        >
          {system.map(({ id, content = "" }) => (
            <Written key={id} text={content} />
          ))}
        </Folded>
      )}
      {history.length > 0 && (
        <Folded title={`${countOf(history.length, "earlier message")} of the session`}>
          <div className="thread">
            {history.map((message) => (
              <OneMessage key={message.id} message={message} tools={tools} session={session} name={name} />
            ))}
          </div>
        </Folded>
      )}
      {own.map((message) => (
        <OneMessage key={message.id} message={message} tools={tools} session={session} name={name} isOwn />
      ))}
      <Members run={run} session={session} />
    </div>
  );
}

/** A run whose messages are not there yet: its input, and the answer as far as it is known. */
function WithoutMessages({ run, session, name }: ThreadProps & { readonly name: string }) {
  return (
    <div className="thread">
      <Bubble by="user">
        <Written text={run.input.input_content} />
        <MediaOf
          session={session}
          images={run.input.images}
          audio={run.input.audios}
          videos={run.input.videos}
          files={run.input.files}
        />
      </Bubble>
      {(run.content !== undefined || (run.tools ?? []).length > 0) && (
        <Bubble by="assistant" name={name}>
          {(run.tools ?? []).map((tool) => (
            <ToolCall key={tool.tool_call_id} call={callOf(tool)} />
          ))}
          <Answer content={run.content} />
        </Bubble>
      )}
      <Members run={run} session={session} />
    </div>
  );
}

type OneMessageProps = {
  readonly message: Message;
  readonly tools: ReadonlyMap<string, ToolExecution>;
  readonly session: string;
  readonly name: string;
  /** Whether it was said in the run itself, not before it. */
  readonly isOwn?: boolean;
};

function OneMessage({ message, tools, session, name, isOwn = false }: OneMessageProps) {
  const foot = useContext(MessageFoot);
  const { role, content, tool_calls = [], metrics, reasoning_content } = message;
  // A tool's result is shown with its call.
  if (role === "tool") return null;
  if (role === "user") {
    return (
      <Bubble by="user">
        {content !== undefined && <Written text={content} />}
        <MediaOf session={session} {...message} />
      </Bubble>
    );
  }
  return (
    <Bubble by="assistant" name={name} about={metrics && <Amounts {...metrics} />}>
      {reasoning_content !== undefined && (
        <Folded title="Reasoning">
          <Written text={reasoning_content} />
        </Folded>
      )}
      <Answer content={content} />
      {tool_calls.map(({ id, function: called }) => {
        const tool = tools.get(id);
        return <ToolCall key={id} call={tool ? callOf(tool) : askedCall(called)} />;
      })}
      <MediaOf session={session} {...message} />
      {isOwn && content && foot?.(message.id)}
    </Bubble>
  );
}

function askedCall({
  name,
  arguments: text,
}: {
  readonly name: string;
  readonly arguments: string;
}): ShownCall {
  try {
    return { name, args: JSON.parse(text) };
  } catch {
    return { name, args: { arguments: text } };
  }
}

type AmountsProps = {
  readonly input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  readonly cache_read_tokens?: number | undefined;
  readonly time_to_first_token?: number | undefined;
  readonly duration?: number | undefined;
};

export function Amounts(amounts: AmountsProps) {
  const { input_tokens, output_tokens, cache_read_tokens, time_to_first_token, duration } = amounts;
  const cached = cachedText(input_tokens, cache_read_tokens);
  const parts = [
    input_tokens !== undefined &&
      output_tokens !== undefined &&
      `${countText(input_tokens)} in, ${countText(output_tokens)} out`,
    cached !== undefined && `${cached} from cache`,
    time_to_first_token !== undefined && `first token ${durationText(time_to_first_token)}`,
    duration !== undefined && durationText(duration),
  ];
  return <span className="number">{parts.filter(Boolean).join(" · ")}</span>;
}

/** What the members of a team did for it. */
function Members({ run, session }: ThreadProps) {
  const members = run.member_responses ?? [];
  if (members.length === 0) return null;
  return (
    <>
      {members.map((member) => (
        <Folded
          key={member.run_id}
          title={`What ${member.agent_name ?? member.team_name ?? "a member"} did for it`}
        >
          <MessageFoot value={undefined}>
            <Thread run={member} session={session} />
          </MessageFoot>
        </Folded>
      ))}
    </>
  );
}
