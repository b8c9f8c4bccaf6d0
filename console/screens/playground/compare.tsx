import { useState } from "react";
import { useFilters } from "../../api/use-filters.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Select } from "../../parts/form/select.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { useInput } from "./input.ts";
import { noSettings, sendingOf } from "./settings.ts";
import { isBusy } from "./turn.ts";
import { useChat } from "./use-chat.ts";
import { type Talker, useComponents } from "./use-components.ts";
import { VersionSelect } from "./version-select.tsx";
import { useWhose, WhoseSession } from "./whose.tsx";

const names = ["left", "left_version", "left_session", "right", "right_version", "right_session"] as const;

const addressOf = ({ kind, id }: Talker): string => `${kind}/${id}`;

/** The same message to two components, or to two versions of one, beside each other. */
export function Compare() {
  const { components, isPending, error, retry } = useComponents();
  const [values, change] = useFilters(names);
  const find = (address: string) => components.find((one) => addressOf(one) === address);
  const [first] = components;
  const gone = [values.left, values.right].find((address) => address !== "" && !find(address));
  // The lists arrive one by one; until all are there, a component that is named may still come.
  if (isPending || !first || gone !== undefined) {
    return (
      <Page title="Compare two">
        {error ? (
          <Failed error={error} retry={retry} />
        ) : isPending ? (
          <Skeleton lines={6} />
        ) : (
          <Empty title={gone === undefined ? "Nothing to compare" : `There is no ${gone}`}>
            <p>It may have been removed, or you may not run it.</p>
            <ButtonLink to="/playground">Show all components</ButtonLink>
          </Empty>
        )}
      </Page>
    );
  }
  const left = find(values.left) ?? first;
  const right = find(values.right) ?? left;
  const sides = {
    left: { of: left, version: values.left_version, session: values.left_session },
    right: { of: right, version: values.right_version, session: values.right_session },
  };
  return (
    <Page title="Compare two" about="One message, two answers. Each side is a session of its own.">
      {/* Another component is another conversation, with nothing of the one before. */}
      <Sides
        key={`${addressOf(left)} ${addressOf(right)}`}
        components={components}
        sides={sides}
        onChange={change}
      />
    </Page>
  );
}

type Side = { readonly of: Talker; readonly version: string; readonly session: string };
type Changes = Partial<Record<(typeof names)[number], string>>;

type SidesProps = {
  readonly components: readonly Talker[];
  readonly sides: { readonly left: Side; readonly right: Side };
  readonly onChange: (changes: Changes) => void;
};

function Sides({ components, sides, onChange }: SidesProps) {
  const left = useSide(sides.left);
  const right = useSide(sides.right);
  const input = useInput(undefined, "");
  const live = [left, right].flatMap(({ chat, turns }) =>
    turns.filter(isBusy).map(({ key }) => ({ chat, key })),
  );
  const isStopping = [...left.turns, ...right.turns].some((turn) => isBusy(turn) && turn.isStopping);
  const send = (message: string) => {
    left.chat.send(message, input.files, sendingOf(noSettings, Number(sides.left.version)));
    right.chat.send(message, input.files, sendingOf(noSettings, Number(sides.right.version)));
    onChange({
      left: addressOf(sides.left.of),
      right: addressOf(sides.right.of),
      left_session: left.chat.session,
      right_session: right.chat.session,
    });
    input.clear();
  };
  return (
    <>
      <div className="compare">
        {(["left", "right"] as const).map((side) => {
          const { chat, turns, whose, banner } = side === "left" ? left : right;
          const { of, version } = sides[side];
          const title = side === "left" ? "Left side" : "Right side";
          return (
            <section key={side} className="card chat-pane" aria-label={title}>
              <div className="compare-head">
                <div className="compare-select">
                  <Select
                    label={title}
                    hideLabel
                    choices={components.map((one) => ({
                      id: addressOf(one),
                      text: one.name,
                      about: one.kind,
                    }))}
                    value={addressOf(of)}
                    onChange={(address) =>
                      onChange({
                        [side]: address,
                        [`${side}_version`]: "",
                        left_session: "",
                        right_session: "",
                      })
                    }
                  />
                </div>
                <VersionSelect
                  of={of}
                  value={version}
                  onChange={(next) => onChange({ [`${side}_version`]: next })}
                />
              </div>
              <WhoseSession value={whose}>
                <Conversation
                  chat={chat}
                  turns={turns}
                  onSay={(text) => chat.send(text, [], sendingOf(noSettings, Number(version)))}
                  empty={
                    <div className="state">
                      <p>{of.description ?? `Its answer appears here.`}</p>
                    </div>
                  }
                />
              </WhoseSession>
              {banner && <div className="whose-frame">{banner}</div>}
            </section>
          );
        })}
      </div>
      {!left.whose.isLocked && !right.whose.isLocked && (
        <div className="card compare-composer">
          <Composer
            name="both"
            text={input.text}
            onText={input.setText}
            files={input.files}
            onFiles={input.setFiles}
            onSend={() => send(input.message)}
            onStop={live.length > 0 ? () => live.forEach(({ chat, key }) => void chat.stop(key)) : undefined}
            isStopping={isStopping}
          />
        </div>
      )}
    </>
  );
}

function useSide({ of: { kind, id, name }, session }: Side) {
  const [newSession] = useState(() => crypto.randomUUID() as string);
  const known = session === "" ? undefined : session;
  const { chat, turns, record } = useChat({ kind, component: id, name }, known, newSession);
  const origin = turns.find(({ copiedFrom }) => copiedFrom !== undefined)?.copiedFrom;
  return { chat, turns, ...useWhose({ kind, component: id }, record.data && known, origin) };
}
