import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  CircleStop,
  Copy,
  FlaskConical,
  GitCompare,
  GitFork,
  ListRestart,
  MessageCircle,
  RotateCw,
} from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useMay, useMe } from "../../access/use-me.ts";
import { besideOf, inputOf, pluralOf, type Run, type RunPlace, runsOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { isLive } from "../../api/use-run.ts";
import { OpenInPlayground } from "../../conversation/open-in-playground.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { AddToDataset } from "./cases/add-to-dataset.tsx";
import { ChooseRun } from "./comparison.tsx";
import { useJob } from "./use-run.ts";

type RunActionsProps = {
  readonly place: RunPlace;
  readonly run: Run;
};

/** What can be done with a run by whoever is signed in. What may not be done is not offered. */
export function RunActions({ place, run }: RunActionsProps) {
  const { kind, component, session } = place;
  const may = useMay();
  const client = useQueryClient();
  const { data: job } = useJob(run);
  const [isStopping, setStopping] = useState(false);
  const mayRun = may(`${pluralOf[kind]}:run`, component);
  const me = useMe();
  const isOwn = run.user_id === undefined || run.user_id === me.id;
  const mayAdminister = may("platform:admin");
  const again = () => client.invalidateQueries({ queryKey: ["run", session, run.run_id] });

  const cancel = useMutation({
    mutationFn: () => runsOf(kind, component).cancel(run.run_id, session),
    onSuccess: () => {
      notify("Cancellation requested. The run ends at its next checkpoint.");
      setStopping(false);
      void again();
    },
    onError: notifyFailure,
  });
  const requeue = useMutation({
    mutationFn: () => platform.requeueJob({ path: { job_id: run.run_id } }),
    onSuccess: () => {
      notify("The job is in the queue again.");
      void again();
    },
    onError: notifyFailure,
  });
  const canRequeue = mayAdminister && (job?.status === "failed" || job?.status === "cancelled");
  return (
    <>
      {isLive(run.status) && mayRun && (
        <Button kind="danger" icon={<CircleStop size={15} aria-hidden />} onPress={() => setStopping(true)}>
          Cancel
        </Button>
      )}
      {canRequeue && (
        <Button
          icon={<ListRestart size={15} aria-hidden />}
          isDisabled={requeue.isPending}
          onPress={() => requeue.mutate()}
        >
          Requeue
        </Button>
      )}
      {mayRun && run.status === "PAUSED" && isOwn && (
        <ButtonLink
          to={`/playground/${kind}/${encodeURIComponent(component)}/${encodeURIComponent(session)}`}
          kind="main"
          icon={<MessageCircle size={15} aria-hidden />}
        >
          Continue it
        </ButtonLink>
      )}
      {mayRun && hasEnded(run) && (
        <ButtonLink to={againPath(place, run)} icon={<RotateCw size={15} aria-hidden />}>
          Run again
        </ButtonLink>
      )}
      {mayRun && !(run.status === "PAUSED" && isOwn) && (
        <OpenInPlayground place={{ kind, component, session }} owner={run.user_id} input={inputOf(run)} />
      )}
      <MoreActions place={place} run={run} />
      <Confirm
        title="Cancel this run?"
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        action="Cancel the run"
        isDangerous
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      >
        <p>It stops at its next checkpoint. What its tools have done already is not undone.</p>
      </Confirm>
    </>
  );
}

/** What is done with a run now and then. */
function MoreActions({ place, run }: RunActionsProps) {
  const { kind, component, session } = place;
  const may = useMay();
  const [, navigate] = useLocation();
  const [isComparing, setComparing] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const fork = useMutation({
    mutationFn: () => forkOf(place),
    onSuccess: ({ session_id }) => {
      notify("The session's finished runs were copied into a new session.");
      navigate(`/playground/${kind}/${encodeURIComponent(component)}/${encodeURIComponent(session_id)}`);
    },
    onError: notifyFailure,
  });

  const entries: MenuEntry[] = [
    {
      id: "compare",
      text: "Compare with another run",
      icon: <GitCompare size={14} aria-hidden />,
      onAction: () => setComparing(true),
    },
    ...(may("evals:read") && may("evals:write") && hasEnded(run)
      ? [
          {
            id: "dataset",
            text: "Add to dataset",
            icon: <FlaskConical size={14} aria-hidden />,
            onAction: () => setAdding(true),
          },
        ]
      : []),
    {
      id: "curl",
      text: "Copy as curl",
      icon: <Copy size={14} aria-hidden />,
      onAction: () => {
        navigator.clipboard
          .writeText(curlOf(place, run))
          .then(() => notify("Copied. It reads the token from $TOKEN."), notifyFailure);
      },
    },
    ...(may(`${pluralOf[kind]}:run`, component) && kind !== "workflow"
      ? [
          {
            id: "fork",
            text: "Fork the session",
            icon: <GitFork size={14} aria-hidden />,
            onAction: () => fork.mutate(),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu label="More" entries={entries} />
      {isAdding && (
        <AddToDataset
          of={{ which: "chosen", runs: [{ run_id: run.run_id, session_id: session, user_id: run.user_id }] }}
          onClose={() => setAdding(false)}
        />
      )}
      <ChooseRun place={place} isOpen={isComparing} onClose={() => setComparing(false)} />
    </>
  );
}

const hasEnded = ({ status }: Run): boolean =>
  status === "COMPLETED" || status === "ERROR" || status === "CANCELLED";

/** The playground with what the run was asked, to be changed and sent; its answer can be compared with this one. */
function againPath({ kind, component, session }: RunPlace, run: Run): string {
  const asked = new URLSearchParams({ say: inputOf(run), with: besideOf(session, run.run_id) });
  return `/playground/${kind}/${encodeURIComponent(component)}?${asked}`;
}

function forkOf({ kind, component, session }: RunPlace) {
  const session_id = session;
  if (kind === "team") return platform.forkTeamSession({ path: { team_id: component, session_id } });
  return platform.forkAgentSession({ path: { agent_id: component, session_id } });
}

/** The request that starts the same run again, for a shell. The token is left to its environment. */
function curlOf({ kind, component, session }: RunPlace, run: Run): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const address = `${location.origin}/${pluralOf[kind]}/${encodeURIComponent(component)}/runs`;
  return [
    `curl -s ${quoted(address)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `--form-string ${quoted(`message=${inputOf(run)}`)}`,
    `--form-string ${quoted(`session_id=${session}`)}`,
    "-F stream=false",
  ].join(" \\\n  ");
}
