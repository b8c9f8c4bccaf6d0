import { useMutation } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  FlaskConical,
  MessageCircle,
  Pencil,
  Plus,
} from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Component } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { pluralOf, type StoredKind } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { useAgain, useAgainArchived } from "./use-components.ts";

type ActionsProps = {
  readonly kind: StoredKind;
  readonly id: string;
  /** Absent for what code declares: it cannot be changed here. */
  readonly component?: Component;
  readonly onNewVersion: () => void;
  readonly onRename: () => void;
};

/** What may be done with a component by whoever is signed in. */
export function ComponentActions({ kind, id, component, onNewVersion, onRename }: ActionsProps) {
  const may = useMay();
  const again = useAgain();
  const againArchived = useAgainArchived(id);
  const [, navigate] = useLocation();
  const [isArchiving, setArchiving] = useState(false);
  const isArchived = component?.deleted_at !== undefined;
  const isRunnable = !isArchived && (component === undefined || component.current_version !== undefined);
  const mayRun = kind !== "skill" && may(`${pluralOf[kind]}:run`, id);
  const archive = useMutation({
    mutationFn: () =>
      platform.removeComponent({
        path: { component_id: id },
        body: { guard: { current_version: component?.current_version ?? 0 } },
      }),
    onSuccess: () => {
      notify(`${component?.name ?? id} is archived.`);
      setArchiving(false);
      void againArchived();
    },
    onError: notifyFailure,
  });
  const restore = useMutation({
    mutationFn: () => platform.restoreComponent({ path: { component_id: id } }),
    onSuccess: ({ name }) => {
      notify(`${name} was restored. Its schedules stay paused until you resume them.`);
      void again();
    },
    onError: notifyFailure,
  });
  const target = encodeURIComponent(`${kind}:${id}`);
  const entries: MenuEntry[] = [
    ...(isRunnable && mayRun && may("schedules:write")
      ? [
          {
            id: "schedule",
            text: "Schedule it",
            icon: <CalendarClock size={14} aria-hidden />,
            onAction: () => navigate(`/schedules?form=new&target=${target}`),
          },
        ]
      : []),
    ...(isRunnable && mayRun && kind !== "workflow" && may("evals:write")
      ? [
          {
            id: "evaluate",
            text: "Evaluate it",
            icon: <FlaskConical size={14} aria-hidden />,
            onAction: () => navigate(`/evaluations?form=new&target=${target}`),
          },
        ]
      : []),
    ...(component && !isArchived && may("components:write")
      ? [{ id: "rename", text: "Rename", icon: <Pencil size={14} aria-hidden />, onAction: onRename }]
      : []),
    ...(component && !isArchived && may("components:delete")
      ? [
          {
            id: "archive",
            text: "Archive",
            icon: <Archive size={14} aria-hidden />,
            isDangerous: true,
            onAction: () => setArchiving(true),
          },
        ]
      : []),
  ];
  return (
    <>
      {isArchived && may("components:delete") && (
        <Button
          kind="main"
          icon={<ArchiveRestore size={15} aria-hidden />}
          isDisabled={restore.isPending}
          onPress={() => restore.mutate()}
        >
          Restore
        </Button>
      )}
      {isRunnable && mayRun && (
        <ButtonLink
          to={`/playground/${kind}/${encodeURIComponent(id)}`}
          icon={<MessageCircle size={15} aria-hidden />}
        >
          Open in the playground
        </ButtonLink>
      )}
      {component && !isArchived && may("components:write") && (
        <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={onNewVersion}>
          New version
        </Button>
      )}
      <Menu label="More" entries={entries} />
      <Confirm
        title={`Archive ${component?.name ?? id}?`}
        isOpen={isArchiving}
        onClose={() => setArchiving(false)}
        action="Archive it"
        isDangerous
        isBusy={archive.isPending}
        onConfirm={() => archive.mutate()}
      >
        <p>
          It cannot be run any more, and every schedule that runs it is paused. Its versions and its id are
          kept: it can be restored.
        </p>
      </Confirm>
    </>
  );
}
