import { Eye, GitCompare, MessageCircle, Pencil, RotateCcw, Trash2, Upload } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Component, ConfigVersion } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { Time } from "../../parts/time.tsx";
import { GoLive } from "./go-live.tsx";
import { useVersionActs } from "./use-version-acts.ts";

type VersionsProps = {
  readonly component: Component;
  readonly versions: readonly ConfigVersion[];
  readonly onShow: (version: number) => void;
  readonly onCompare: (from: number, to: number) => void;
  readonly onEdit: (version: number) => void;
};

type Asked = { readonly act: "live" | "publish" | "remove"; readonly version: number };

/** The versions of a component, the highest first, and what can be done with each. */
export function Versions({ component, versions, onShow, onCompare, onEdit }: VersionsProps) {
  const [asked, setAsked] = useState<Asked>();
  const acts = useVersionActs(component);
  const close = () => setAsked(undefined);
  const { current_version: live } = component;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <section className="card scroll-x" tabIndex={0} aria-label="Versions">
        <table className="table versions">
          <thead>
            <tr>
              <th>Version</th>
              <th>Stage</th>
              <th className="wide-only">Notes</th>
              <th className="end wide-only">Made</th>
              <th>
                <span className="hidden-visually">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <tr key={version.version}>
                <td>
                  <div className="row component-name">
                    <span className="number version-number">{version.version}</span>
                    {version.label !== undefined && <Badge tone="plain">{version.label}</Badge>}
                  </div>
                  {version.notes !== undefined && (
                    <div className="small soft narrow-only">{version.notes}</div>
                  )}
                </td>
                <td className="nowrap">
                  {version.version === live ? <Badge tone="good">Live</Badge> : <Stage of={version} />}
                </td>
                <td className="version-notes wide-only">
                  {version.notes === undefined ? (
                    <span className="faint">–</span>
                  ) : (
                    <div className="plain-text" dir="auto">
                      {version.notes}
                    </div>
                  )}
                </td>
                <td className="end nowrap wide-only">
                  <Time at={version.created_at} />
                </td>
                <td>
                  <Acts
                    component={component}
                    version={version}
                    onShow={() => onShow(version.version)}
                    onCompare={onCompare}
                    onEdit={() => onEdit(version.version)}
                    onAsk={(act) => setAsked({ act, version: version.version })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Confirm
        title={`Make version ${asked?.version} live?`}
        isOpen={asked?.act === "live"}
        onClose={close}
        action={`Make version ${asked?.version} live`}
        isBusy={acts.makeLive.isPending}
        onConfirm={() => asked && acts.makeLive.mutate(asked.version, { onSettled: close })}
      >
        <p>
          Runs that start from now on use it in place of version {live}. Runs in progress continue with
          theirs. No version is lost.
        </p>
      </Confirm>
      {asked?.act === "publish" && <GoLive component={component} version={asked.version} onClose={close} />}
      <Confirm
        title={`Delete draft ${asked?.version}?`}
        isOpen={asked?.act === "remove"}
        onClose={close}
        action="Delete the draft"
        isDangerous
        isBusy={acts.remove.isPending}
        onConfirm={() => asked && acts.remove.mutate(asked.version, { onSettled: close })}
      >
        <p>Its config and its notes are lost. Its number is not used again.</p>
      </Confirm>
    </>
  );
}

/** A published version that is not the live one waits: it is not what "published" means to most. */
function Stage({ of: { stage } }: { readonly of: ConfigVersion }) {
  return stage === "draft" ? <Status of="draft" /> : <Badge tone="plain">Published</Badge>;
}

type ActsProps = {
  readonly component: Component;
  readonly version: ConfigVersion;
  readonly onShow: () => void;
  readonly onCompare: (from: number, to: number) => void;
  readonly onEdit: () => void;
  readonly onAsk: (act: Asked["act"]) => void;
};

function Acts({ component, version, onShow, onCompare, onEdit, onAsk }: ActsProps) {
  const may = useMay();
  const [, navigate] = useLocation();
  const { component_id, component_type, current_version: live, deleted_at } = component;
  const isArchived = deleted_at !== undefined;
  const isDraft = version.stage === "draft";
  const isLive = version.version === live;
  const mayWrite = may("components:write") && !isArchived;
  const isBack = live !== undefined && version.version < live;
  const entries: MenuEntry[] = [
    { id: "show", text: "Show its configuration", icon: <Eye size={14} aria-hidden />, onAction: onShow },
    ...(live !== undefined && !isLive
      ? [
          {
            id: "compare",
            text: `Compare with version ${live}`,
            icon: <GitCompare size={14} aria-hidden />,
            onAction: () => onCompare(Math.min(live, version.version), Math.max(live, version.version)),
          },
        ]
      : []),
    ...(component_type !== "skill" && may(`${pluralOf[component_type]}:run`, component_id) && !isArchived
      ? [
          {
            id: "play",
            text: "Try it in the playground",
            icon: <MessageCircle size={14} aria-hidden />,
            onAction: () =>
              navigate(
                `/playground/${component_type}/${encodeURIComponent(component_id)}?version=${version.version}`,
              ),
          },
        ]
      : []),
    ...(mayWrite && isDraft
      ? [{ id: "edit", text: "Edit the draft", icon: <Pencil size={14} aria-hidden />, onAction: onEdit }]
      : []),
    ...(isDraft && may("components:delete") && !isArchived
      ? [
          {
            id: "remove",
            text: "Delete the draft",
            icon: <Trash2 size={14} aria-hidden />,
            isDangerous: true,
            onAction: () => onAsk("remove"),
          },
        ]
      : []),
  ];
  return (
    <div className="version-acts">
      {mayWrite && isDraft && (
        <Button size="small" icon={<Upload size={13} aria-hidden />} onPress={() => onAsk("publish")}>
          Publish
        </Button>
      )}
      {mayWrite && !isDraft && !isLive && (
        <Button size="small" icon={<RotateCcw size={13} aria-hidden />} onPress={() => onAsk("live")}>
          {isBack ? "Roll back to it" : "Make it live"}
        </Button>
      )}
      <Menu label={`More for version ${version.version}`} entries={entries} />
    </div>
  );
}
