import { Columns2, MessagesSquare, Settings2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useLocation } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { chatPath, type Sending } from "./chat.ts";
import { kindIcons } from "./component-list.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { useInput } from "./input.ts";
import { InputForm } from "./input-form.tsx";
import { SessionList } from "./session-list.tsx";
import { countSet, hasProblem, sendingOf, useSettings } from "./settings.ts";
import { SettingsDialog } from "./settings-dialog.tsx";
import { isBusy } from "./turn.ts";
import { useChat } from "./use-chat.ts";
import type { Talker } from "./use-components.ts";
import { useDrop } from "./use-drop.ts";
import { VersionSelect } from "./version-select.tsx";
import { whileLive } from "./while-live.ts";
import { useWhose, WhoseSession } from "./whose.tsx";

const names = ["version", "say", "with"] as const;

type ChatScreenProps = { readonly component: Talker; readonly session: string | undefined };

/** A conversation with one component. */
export function ChatScreen({ component, session }: ChatScreenProps) {
  const { kind, id, name, inputSchema } = component;
  const may = useMay();
  const [, navigate] = useLocation();
  const [{ version, say, with: other }, change] = useFilters(names);
  const [newSession, setNewSession] = useState(() => crypto.randomUUID() as string);
  const { chat, turns, record, isLoading } = useChat({ kind, component: id, name }, session, newSession);
  const [settings, changeSettings] = useSettings(`${kind}/${id}`);
  const input = useInput(inputSchema, say);
  const [isSetting, setSetting] = useState(false);
  const [isListOpen, setListOpen] = useState(false);
  const drop = useDrop(input.addFiles);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list closes when a session was chosen
  useEffect(() => setListOpen(false), [session]);
  const live = turns.findLast(isBusy);
  const origin = turns.find(({ copiedFrom }) => copiedFrom !== undefined)?.copiedFrom;
  const { whose, banner } = useWhose({ kind, component: id }, record.data && session, origin);
  const maySee = may("sessions:read");

  const send = (message: string, files: readonly File[] = [], more: Sending = {}) => {
    if (hasProblem(settings)) {
      setSetting(true);
      return false;
    }
    chat.send(message, files, { ...sendingOf(settings, Number(version)), ...more });
    if (session === undefined) {
      navigate(addressOf(chatPath(kind, id, chat.session), { version, with: other }));
      setNewSession(crypto.randomUUID());
    } else if (say !== "") change({ say: "" });
    return true;
  };
  const sendInput = () => {
    if (input.check() && send(input.message, input.files)) input.clear();
  };
  const sessions = <SessionList kind={kind} component={id} current={session} />;
  const set = countSet(settings);
  return (
    <Page
      title={name}
      back={{ to: "/playground", text: "Playground" }}
      heading={<Title of={component} />}
      about={component.model !== undefined && <span className="faint">{component.model}</span>}
      actions={
        <>
          <VersionSelect of={component} value={version} onChange={(next) => change({ version: next })} />
          {maySee && (
            <span className="chat-sessions-button">
              <Button icon={<MessagesSquare size={15} aria-hidden />} onPress={() => setListOpen(true)}>
                Sessions
              </Button>
            </span>
          )}
          <ButtonLink
            to={`/playground/compare?left=${encodeURIComponent(`${kind}/${id}`)}&left_version=${encodeURIComponent(version)}`}
            icon={<Columns2 size={15} aria-hidden />}
          >
            Compare
          </ButtonLink>
          <Button icon={<Settings2 size={15} aria-hidden />} onPress={() => setSetting(true)}>
            Settings
            {set > 0 && <Badge tone="plain">{set} set</Badge>}
          </Button>
        </>
      }
    >
      <div className={maySee ? "chat chat-with-sessions" : "chat"}>
        {maySee && <aside className="chat-side">{sessions}</aside>}
        <div className={drop.isOver ? "card chat-pane chat-pane-drop" : "card chat-pane"} {...drop.handlers}>
          {record.error && turns.length === 0 ? (
            <Failed error={record.error} retry={() => record.refetch()} />
          ) : isLoading ? (
            <div className="card-body chat-loading">
              <Skeleton lines={6} />
            </div>
          ) : (
            <WhoseSession value={whose}>
              <Conversation
                chat={chat}
                turns={turns}
                onSay={(text) => send(text)}
                empty={<Begin component={component} onSay={(text) => send(text)} />}
                other={other}
              />
            </WhoseSession>
          )}
          {banner && <div className="whose-frame">{banner}</div>}
          {!whose.isLocked && (
            <Composer
              name={name}
              text={input.text}
              onText={input.setText}
              files={input.files}
              onFiles={input.setFiles}
              onSend={sendInput}
              {...whileLive({ chat, live, input, send })}
              {...(input.usesForm &&
                inputSchema && {
                  form: (
                    <InputForm
                      schema={inputSchema}
                      value={input.entered}
                      onChange={input.setEntered}
                      isChecked={input.isChecked}
                    />
                  ),
                })}
              {...(inputSchema && {
                more: (
                  <Button kind="plain" size="small" onPress={() => input.setForm(!input.usesForm)}>
                    {input.usesForm ? "Write it as JSON" : "Fill in a form"}
                  </Button>
                ),
              })}
            />
          )}
        </div>
      </div>
      <p className="hidden-visually" role="status">
        {live ? `${name} is answering` : turns.length > 0 ? "The answer is complete" : ""}
      </p>
      <SettingsDialog
        kind={kind}
        settings={settings}
        onChange={changeSettings}
        isOpen={isSetting}
        onClose={() => setSetting(false)}
      />
      <Drawer isOpen={isListOpen} onChange={setListOpen}>
        {sessions}
      </Drawer>
    </Page>
  );
}

function Title({ of: { kind, name } }: { readonly of: Talker }) {
  const Icon = kindIcons[kind];
  return (
    <span className="chat-title">
      <Icon size={18} aria-hidden />
      <span className="cut">{name}</span>
    </span>
  );
}

type DrawerProps = {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
};

/** The sessions, where there is no room beside the conversation. */
function Drawer({ isOpen, onChange, children }: DrawerProps) {
  return (
    <ModalOverlay className="drawer-overlay" isOpen={isOpen} onOpenChange={onChange} isDismissable>
      <Modal className="drawer">
        <AriaDialog aria-label="Sessions" className="chat-drawer">
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What an empty conversation says, with prompts to begin with. */
function Begin({ component, onSay }: { readonly component: Talker; readonly onSay: (text: string) => void }) {
  const { name, introduction, description, prompts } = component;
  return (
    <div className="state chat-begin">
      <div className="state-title">{introduction ?? `Talk to ${name}`}</div>
      {description !== undefined && <p>{description}</p>}
      {prompts.map((prompt) => (
        <Button key={prompt} onPress={() => onSay(prompt)}>
          {prompt}
        </Button>
      ))}
    </div>
  );
}
