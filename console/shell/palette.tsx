import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { useMay, useMayReadRuns, useMe } from "../access/use-me.ts";
import { storedComponents } from "../api/queries.ts";
import { useSavedViews } from "../api/saved-views.ts";
import { useKnownUsers } from "../api/use-known-users.ts";
import { useRunnables } from "../api/use-runnables.ts";
import { Dialog } from "../parts/dialog.tsx";
import { isGivenId, namedBy } from "./named-by-id.ts";
import { type Target, targetsFor } from "./palette-targets.ts";
import type { Screen } from "./screens.ts";

type PaletteProps = { readonly screens: readonly Screen[]; readonly onClose: () => void };

/** Leads anywhere by what is typed: a screen, a component, a user, a saved view, a run or a session by its id. */
export default function Palette({ screens, onClose }: PaletteProps) {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const list = useId();
  const targets = useTargets(text, screens);
  const chosen = Math.min(place, targets.length - 1);
  const go = (target: Target | undefined) => {
    if (!target) return;
    onClose();
    navigate(target.to);
  };
  return (
    <Dialog title="Go to" isOpen onClose={onClose}>
      <input
        className="input palette-input"
        autoFocus
        role="combobox"
        aria-label="Screen, component, user, view, or id of a run or session"
        aria-expanded={targets.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(targets.length > 0 && { "aria-activedescendant": `${list}-${chosen}` })}
        placeholder="Screen, component, user, view or id"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setPlace(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setPlace(Math.min(chosen + 1, targets.length - 1));
          else if (event.key === "ArrowUp") setPlace(Math.max(chosen - 1, 0));
          else if (event.key === "Enter") go(targets[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      {targets.length > 0 ? (
        <div id={list} role="listbox" aria-label="Where it leads" className="palette-list">
          {targets.map((target, at) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={`${target.kind} ${target.to}`}
              id={`${list}-${at}`}
              role="option"
              aria-selected={at === chosen}
              className="palette-option"
              ref={(element) => {
                if (at === chosen) element?.scrollIntoView({ block: "nearest" });
              }}
              onClick={() => go(target)}
            >
              <span className="cut" dir="auto">
                {target.text}
              </span>
              <span className="small faint">{target.kind}</span>
            </div>
          ))}
        </div>
      ) : (
        <p className="soft" role="status">
          Nothing is called so.
        </p>
      )}
    </Dialog>
  );
}

function useTargets(text: string, screens: readonly Screen[]): readonly Target[] {
  const may = useMay();
  const { is_admin } = useMe();
  const { runnables } = useRunnables();
  const stored = useQuery({ ...storedComponents, enabled: may("components:read"), staleTime: 60_000 });
  const { views } = useSavedViews();
  const users = useKnownUsers();
  const named = text.trim();
  const mayReadRuns = useMayReadRuns();
  const found = useQuery({
    queryKey: ["palette", "named", named],
    enabled: isGivenId(named),
    retry: false,
    staleTime: 60_000,
    queryFn: () => namedBy(named, may, mayReadRuns),
  });
  // Drafts and skills, which do not run by themselves.
  const unpublished = (stored.data ?? [])
    .filter(({ component_id }) => !runnables.some(({ id }) => id === component_id))
    .map(({ component_id: id, component_type: kind, name }) => ({ kind, id, name }));
  return targetsFor(named, {
    screens: screens.map(({ title, path }) => ({ kind: "screen", text: title, to: path })),
    components: [...runnables, ...unpublished].map(({ kind, id: component, name }) => ({
      kind,
      id: component,
      text: name === component ? name : `${name} (${component})`,
      to: may("components:read")
        ? `/components/${encodeURIComponent(component)}`
        : `/runs?component=${encodeURIComponent(component)}`,
    })),
    views: views.map(({ name, to }) => ({ kind: "view", text: name, to })),
    users: users.map((user) => ({
      kind: "runs of the user",
      text: user,
      to: `/runs?user=${encodeURIComponent(user)}`,
    })),
    found: found.data ? [found.data] : [],
    session: may("sessions:read")
      ? { kind: "session", text: `The session ${named}`, to: `/sessions/${encodeURIComponent(named)}` }
      : undefined,
    searches: [
      ...(mayReadRuns
        ? [{ kind: "search", text: `Runs with “${named}”`, to: `/runs?q=${encodeURIComponent(named)}` }]
        : []),
      ...(is_admin
        ? [
            {
              kind: "search",
              text: `Runs of the user “${named}”`,
              to: `/runs?user=${encodeURIComponent(named)}`,
            },
            {
              kind: "search",
              text: `Everything of the user “${named}”`,
              to: `/sessions?user=${encodeURIComponent(named)}`,
            },
          ]
        : []),
    ],
  });
}
