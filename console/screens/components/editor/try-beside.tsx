import { useMemo, useState } from "react";
import type { Component } from "../../../../client/index.ts";
import type { Kind } from "../../../api/kinds.ts";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { Select } from "../../../parts/form/select.tsx";
import { Card } from "../../../parts/page.tsx";
import { Composer } from "../../playground/composer.tsx";
import { Conversation } from "../../playground/conversation.tsx";
import { useInput } from "../../playground/input.ts";
import { noSettings, sendingOf } from "../../playground/settings.ts";
import { isBusy } from "../../playground/turn.ts";
import { useChat } from "../../playground/use-chat.ts";
import { modelChoices } from "../common-fields.tsx";
import { modelOf } from "../component-draft.ts";
import { useRegistry } from "../use-components.ts";

type Fields = Readonly<Record<string, unknown>>;

type TryProps = {
  readonly component: Component;
  readonly kind: Kind;
  /** The draft as it is written; undefined while it is no config. */
  readonly config: Fields | undefined;
};

/** One message to the draft as it is written and to the live version, in two columns. Nothing is stored but the runs. */
export function TryBeside(props: TryProps) {
  const [conversation, setConversation] = useState(0);
  return (
    <section aria-label="Try beside live" className="stack editor-tries">
      <div className="row editor-try-head">
        <h2>Try beside live</h2>
        <Button size="small" onPress={() => setConversation((before) => before + 1)}>
          New conversation
        </Button>
      </div>
      <Sides key={conversation} {...props} />
    </section>
  );
}

function Sides({ component, kind, config }: TryProps) {
  const { component_id, name, current_version: live } = component;
  const [model, setModel] = useState("draft");
  const [temperature, setTemperature] = useState("");
  const { data: registered = [] } = useRegistry();
  const input = useInput(undefined, "");
  const of = { kind, component: component_id, name };
  const left = useSide(of);
  const right = useSide(of);
  const going = [left, right].flatMap(({ chat, turns }) =>
    turns.filter(isBusy).map(({ key }) => ({ chat, key })),
  );
  const isTemperature = temperature.trim() === "" || (Number(temperature) >= 0 && Number(temperature) <= 2);
  const tried = config &&
    isTemperature && {
      ...config,
      ...(model !== "draft" && { model: modelOf(model) }),
      ...(temperature.trim() !== "" && { temperature: Number(temperature) }),
    };
  const sendDraft = (text: string) => {
    if (tried) right.chat.send(text, input.files, { ...sendingOf(noSettings, 0), draft_config: tried });
  };
  const sendLive = (text: string) => left.chat.send(text, input.files, sendingOf(noSettings, 0));
  const send = () => {
    if (!tried) return;
    if (live !== undefined) sendLive(input.message);
    sendDraft(input.message);
    input.clear();
  };
  return (
    <>
      <div className={live === undefined ? "editor-try editor-try-one" : "editor-try"}>
        {live !== undefined && (
          <section className="card chat-pane" aria-label="Live">
            <div className="compare-head editor-try-title">Live: version {live}</div>
            <Conversation {...left} onSay={sendLive} empty={<Empty>The live answer appears here.</Empty>} />
          </section>
        )}
        <section className="card chat-pane" aria-label="Draft">
          <div className="compare-head editor-try-title">
            <span>Draft, as written above</span>
            {kind !== "workflow" && (
              <div className="row">
                <Select
                  label="Model of the draft"
                  hideLabel
                  choices={[{ id: "draft", text: "Its own model" }, ...modelChoices(registered)]}
                  value={model}
                  onChange={setModel}
                />
                <TextField
                  label="Temperature of the draft"
                  hideLabel
                  placeholder="Temperature"
                  inputClass="react-aria-Input editor-temperature"
                  value={temperature}
                  onChange={setTemperature}
                  error={isTemperature ? undefined : "0 to 2"}
                />
              </div>
            )}
          </div>
          <Conversation
            {...right}
            onSay={sendDraft}
            empty={<Empty>The draft’s answer appears here.</Empty>}
          />
        </section>
      </div>
      <Card flush>
        <Composer
          name={live === undefined ? "the draft" : "both"}
          leavesFocus
          text={input.text}
          onText={input.setText}
          files={input.files}
          onFiles={input.setFiles}
          onSend={send}
          onStop={going.length > 0 ? () => going.forEach(({ chat, key }) => void chat.stop(key)) : undefined}
          isStopping={[...left.turns, ...right.turns].some((turn) => isBusy(turn) && turn.isStopping)}
        />
      </Card>
    </>
  );
}

function useSide(of: Parameters<typeof useChat>[0]) {
  const session = useMemo(() => crypto.randomUUID() as string, []);
  const { chat, turns } = useChat(of, undefined, session);
  return { chat, turns };
}

const Empty = ({ children }: { readonly children: string }) => (
  <div className="state">
    <p>{children}</p>
  </div>
);
