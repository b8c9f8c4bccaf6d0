import { useMutation } from "@tanstack/react-query";
import { GitFork, Paperclip, RefreshCw, RotateCw, WifiOff } from "lucide-react";
import { memo, useCallback, useContext, useEffect } from "react";
import { Link } from "wouter";
import { comparisonPath, runPath, runsOf } from "../../api/kinds.ts";
import { queryClient } from "../../api/query-client.ts";
import { useRun } from "../../api/use-run.ts";
import { MediaSource, mediaIn } from "../../conversation/media-source.ts";
import { Bubble, MediaOf, Written } from "../../conversation/message.tsx";
import { RunTreeView } from "../../conversation/run-tree.tsx";
import { Amounts } from "../../conversation/thread.tsx";
import { TurnThumbs } from "../../feedback/turn-thumbs.tsx";
import { costText, sizeText } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/id.tsx";
import { notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { errorText } from "../../parts/state.tsx";
import { PauseForm } from "../../pauses/pause-form.tsx";
import type { Chat } from "./chat.ts";
import { SaidList } from "./said-list.tsx";
import { isBusy, rootOf, type Turn } from "./turn.ts";
import { WhoseSession } from "./whose.tsx";

type TurnViewProps = {
  readonly chat: Chat;
  readonly turn: Turn;
  readonly isLast: boolean;
  readonly onSay: (text: string) => void;
  /** The run that this chat tries again, as `besideOf` names it; empty for any other chat. */
  readonly other: string;
};

/** A message, and what came of it. Only the turn that changes is drawn again. */
export const TurnView = memo(function TurnView({ chat, turn, isLast, onSay, other }: TurnViewProps) {
  const { input, media, files, tree, state } = turn;
  const root = rootOf(turn);
  const { kind, component, session } = chat;
  const { run_id = "" } = turn;
  const { speaker, copiedFrom, isLocked } = useContext(WhoseSession);
  const findMedium = useCallback(
    async (id: string) => {
      const run = await queryClient.fetchQuery({
        queryKey: ["run-media", session, run_id],
        queryFn: () => runsOf(kind, component).get(run_id, session),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: MEDIA_KEPT_MS,
      });
      return mediaIn(run).find((medium) => medium.id === id && medium.content !== undefined);
    },
    [kind, component, session, run_id],
  );
  return (
    <MediaSource value={findMedium}>
      <div className="thread">
        <Bubble by="user" name={turn.copiedFrom === undefined ? speaker : copiedFrom}>
          <Written text={input} />
          <MediaOf session={chat.session} {...media} />
          {files.length > 0 && Object.keys(media).length === 0 && (
            <div className="row">
              {files.map(({ name, size }) => (
                <span key={name} className="media-file">
                  <Paperclip size={14} aria-hidden />
                  <span className="cut">{name}</span>
                  <span className="small faint">{sizeText(size)}</span>
                </span>
              ))}
            </div>
          )}
        </Bubble>
        {tree && <RunTreeView tree={tree} session={chat.session} isLive={isBusy(turn)} />}
        <SaidList chat={chat} turn={turn} />
        {state === "sending" && !tree && <p className="small faint turn-aside">Sending…</p>}
        {state === "lost" && (
          <div className="turn-aside">
            <Notice tone="warn">
              <span className="row">
                <WifiOff size={14} aria-hidden />
                {turn.run_id === undefined
                  ? "The connection was lost. Looking for the run…"
                  : "The connection was lost. The run continues; following it again…"}
              </span>
            </Notice>
          </div>
        )}
        {(state === "refused" || (state === "ended" && turn.error !== undefined)) && (
          <Refused chat={chat} turn={turn} onSay={onSay} />
        )}
        {state === "ended" && root?.status === "failed" && (
          <FailedRun chat={chat} turn={turn} onSay={onSay} />
        )}
        {state === "ended" && root?.status === "paused" && !isLocked && <Paused chat={chat} turn={turn} />}
        {tree && !isBusy(turn) && <Foot chat={chat} turn={turn} isLast={isLast} other={other} />}
        {isLast && state === "ended" && !isLocked && tree && tree.followups.length > 0 && (
          <div className="row turn-aside">
            {tree.followups.map((text) => (
              <Button key={text} size="small" onPress={() => onSay(text)}>
                {text}
              </Button>
            ))}
          </div>
        )}
      </div>
    </MediaSource>
  );
});

/** All media of a run are read at once; then they need not be kept. */
const MEDIA_KEPT_MS = 10_000;

type PartProps = Pick<TurnViewProps, "chat" | "turn">;

/** What the run cost, and what can be done with it. */
function Foot({ chat, turn, isLast, other }: PartProps & Pick<TurnViewProps, "isLast" | "other">) {
  const { tree, run_id } = turn;
  const root = rootOf(turn);
  const { isLocked } = useContext(WhoseSession);
  if (!tree || !root || run_id === undefined) return null;
  const { metrics } = tree;
  const cost = metrics && costText(metrics);
  const said = root.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  const place = { kind: chat.kind, component: chat.component, session: chat.session, run: run_id };
  return (
    <div className="turn-foot turn-aside small faint">
      {root.status === "cancelled" && <Badge>Cancelled</Badge>}
      {metrics && <Amounts {...metrics} />}
      {cost !== undefined && <span className="number">{cost === "unknown" ? "cost unknown" : cost}</span>}
      <Link href={runPath(place)}>Details</Link>
      {other !== "" && <Link href={comparisonPath(place, other)}>Compare with the run before</Link>}
      <span className="turn-foot-acts">
        {isLast && !isLocked && root.status === "completed" && <TurnThumbs place={place} />}
        {said !== "" && <CopyButton text={said} label="Copy the answer" />}
        {isLast && !isLocked && chat.kind !== "workflow" && root.status === "completed" && (
          <Button
            kind="plain"
            size="small"
            icon={<RefreshCw size={13} aria-hidden />}
            label="Answer again"
            onPress={() => chat.again(turn.key, "regenerate")}
          />
        )}
      </span>
    </div>
  );
}

function Refused({ chat, turn, onSay }: PartProps & { readonly onSay: (text: string) => void }) {
  const sendAgain = () => {
    chat.forget(turn.key);
    onSay(turn.input);
  };
  return (
    <div className="turn-aside stack-tight">
      <Notice tone="bad">{errorText(turn.error)}</Notice>
      {turn.state === "refused" && (
        <div className="row">
          <Button icon={<RotateCw size={14} aria-hidden />} onPress={sendAgain}>
            Send it again
          </Button>
        </div>
      )}
    </div>
  );
}

function FailedRun({ chat, turn, onSay }: PartProps & { readonly onSay: (text: string) => void }) {
  const retry = useMutation({ mutationFn: () => chat.tryAgain(turn.key), onError: notifyFailure });
  const { isLocked } = useContext(WhoseSession);
  return (
    <div className="turn-aside stack-tight">
      <Notice tone="bad">{rootOf(turn)?.error ?? "The run failed."}</Notice>
      {!isLocked && (
        <div className="row">
          {chat.kind === "workflow" ? (
            <Button icon={<RotateCw size={14} aria-hidden />} onPress={() => onSay(turn.input)}>
              Send it again
            </Button>
          ) : (
            <>
              <Button
                icon={<RotateCw size={14} aria-hidden />}
                isDisabled={retry.isPending}
                onPress={() => retry.mutate()}
              >
                Try again
              </Button>
              <Button
                icon={<GitFork size={14} aria-hidden />}
                isDisabled={retry.isPending}
                onPress={() => chat.again(turn.key, "fork")}
              >
                Fork
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** A paused run's questions. Another user may answer them, and then the run is followed. */
function Paused({ chat, turn }: PartProps) {
  const run = turn.run_id ?? "";
  const place = { kind: chat.kind, component: chat.component, session: chat.session, run };
  const { data, error, isFetching } = useRun(place);
  const goesOn = data !== undefined && data.status !== "PAUSED" && !isFetching;
  useEffect(() => {
    if (goesOn) chat.follow(turn.key);
  }, [goesOn, chat, turn.key]);
  if (!data) return error ? <Notice tone="bad">{errorText(error)}</Notice> : null;
  if (data.status !== "PAUSED") return null;
  return (
    <div className="turn-aside">
      <PauseForm run={data} place={place} send={(answers) => chat.answer(turn.key, answers)} />
    </div>
  );
}
