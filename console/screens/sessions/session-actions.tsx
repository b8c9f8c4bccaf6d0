import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GitFork, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { SessionDetail } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { OpenInPlayground } from "../../conversation/open-in-playground.tsx";
import { Button } from "../../parts/button.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { RemoveSessions } from "./remove-sessions.tsx";
import { RenameSession } from "./rename-session.tsx";
import {
  type Component,
  componentOfSession,
  kindOfSession,
  sessionPath,
  useMayRun,
} from "./session-query.ts";

/** What can be done with a session by whoever is signed in. */
export function SessionActions({ session }: { readonly session: SessionDetail }) {
  const may = useMay();
  const mayRun = useMayRun();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isRenaming, setRenaming] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { session_id, session_name } = session;
  const component = componentOfSession(session);
  const fork = useMutation({
    mutationFn: (of: Component) => forkOf(of, session_id),
    onSuccess: (made) => {
      notify("The finished runs were copied into this new session.");
      void client.invalidateQueries({ queryKey: ["sessions", "list"] });
      navigate(sessionPath(made.session_id));
    },
    onError: notifyFailure,
  });
  const entries: MenuEntry[] = [
    ...(mayRun(component) && component.kind !== "workflow"
      ? [
          {
            id: "fork",
            text: "Fork",
            icon: <GitFork size={14} aria-hidden />,
            onAction: () => fork.mutate(component),
          },
        ]
      : []),
    ...(may("sessions:delete")
      ? [
          {
            id: "delete",
            text: "Delete",
            icon: <Trash2 size={14} aria-hidden />,
            isDangerous: true,
            onAction: () => setRemoving(true),
          },
        ]
      : []),
  ];
  return (
    <>
      {may("sessions:write") && (
        <Button icon={<Pencil size={15} aria-hidden />} onPress={() => setRenaming(true)}>
          Rename
        </Button>
      )}
      {mayRun(component) && (
        <OpenInPlayground
          place={{ kind: component.kind, component: component.id, session: session_id }}
          owner={session.user_id}
          isMain
        />
      )}
      <Menu label="More" entries={entries} />
      <RenameSession
        key={session_name}
        id={session_id}
        name={session_name}
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
      />
      <RemoveSessions
        sessions={[{ session_id, session_name, session_type: kindOfSession(session) }]}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onDone={() => navigate("/sessions")}
      />
    </>
  );
}

const forkOf = ({ kind, id }: Component, session_id: string) =>
  kind === "team"
    ? platform.forkTeamSession({ path: { team_id: id, session_id } })
    : platform.forkAgentSession({ path: { agent_id: id, session_id } });
