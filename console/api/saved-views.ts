import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Operations } from "../../client/index.ts";
import { useMe } from "../access/use-me.ts";
import { notifyFailure } from "../parts/messages.tsx";
import { platform } from "./platform.ts";

/** A screen with its filters, under a name that a reader gave it. */
export type SavedView = Operations["listViews"]["answer"]["data"][number];

type Views = readonly SavedView[];

/** Where views are kept. Each answers with all that there are then. */
type ViewStore = {
  readonly read: () => Promise<Views>;
  /** Another one of the same name is replaced. */
  readonly save: (view: SavedView) => Promise<Views>;
  readonly remove: (name: string) => Promise<Views>;
};

/** The views of whoever is signed in: with the platform, or in this browser where the credential names no user. */
export function useSavedViews() {
  const { id } = useMe();
  const client = useQueryClient();
  const store = id === null ? inBrowser : onPlatform(id);
  const queryKey = ["me", "views", id];
  const { data: views = none } = useQuery({ queryKey, queryFn: store.read });
  const onSuccess = (changed: Views) => client.setQueryData(queryKey, changed);
  const save = useMutation({ mutationFn: store.save, onSuccess, onError: notifyFailure });
  const remove = useMutation({ mutationFn: store.remove, onSuccess, onError: notifyFailure });
  return { views, save: save.mutate, remove: remove.mutate };
}

const none: Views = [];

const listed = async (): Promise<Views> => (await platform.listViews()).data;

const onPlatform = (user: string): ViewStore => ({
  read: async () => takeOver(user, await listed()),
  save: async (view) => (await platform.saveView({ body: view })).data,
  remove: async (view_name) => {
    await platform.removeView({ path: { view_name } });
    return listed();
  },
});

/** Moves what an earlier version has kept in this browser to the platform, once. What is refused stays here, unseen. */
async function takeOver(user: string, views: Views): Promise<Views> {
  const kept = viewsAt(user).filter(({ name }) => !views.some((view) => view.name === name));
  let all = views;
  try {
    for (const view of kept) all = (await platform.saveView({ body: view })).data;
    localStorage.removeItem(keyOf(user));
  } catch {
    // The others are taken over the next time.
  }
  return all;
}

const UNNAMED = "";
const inBrowser: ViewStore = {
  read: async () => viewsAt(UNNAMED),
  save: async (view) => keep([...others(view.name), view]),
  remove: async (name) => keep(others(name)),
};

const keyOf = (user: string): string => `agent-platform.views.${user}`;
const others = (name: string): Views => viewsAt(UNNAMED).filter((view) => view.name !== name);

function keep(views: Views): Views {
  localStorage.setItem(keyOf(UNNAMED), JSON.stringify(views));
  return views;
}

function viewsAt(user: string): Views {
  try {
    const given: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? "[]");
    return Array.isArray(given) ? given.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (one: unknown): one is SavedView =>
  typeof one === "object" &&
  one !== null &&
  "name" in one &&
  typeof one.name === "string" &&
  "to" in one &&
  typeof one.to === "string" &&
  one.to.startsWith("/");
