import { useMutation } from "@tanstack/react-query";
import type { Component } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { useAgain } from "./use-components.ts";

/**
 * What can be done with the versions of a component. Each change says which version it takes for the live one, so that
 * what another user changed meanwhile is not undone unseen: the platform refuses it then.
 */
export function useVersionActs({ component_id, current_version }: Component) {
  const again = useAgain();
  const pathOf = (version: number) => ({ component_id, version });
  const done = (text: string) => {
    notify(text);
    return again();
  };
  const makeLive = useMutation({
    mutationFn: (version: number) =>
      platform.setCurrentConfigVersion({
        path: pathOf(version),
        body: { guard: { current_version: current_version ?? 0 } },
      }),
    onSuccess: (_, version) => done(`Version ${version} is live.`),
    onError: notifyFailure,
  });
  const publish = useMutation({
    mutationFn: (version: number) =>
      platform.updateConfigVersion({ path: pathOf(version), body: { stage: "published" } }),
    onSuccess: (_, version) => done(`Version ${version} is published and live.`),
    onError: notifyFailure,
  });
  const remove = useMutation({
    mutationFn: (version: number) => platform.removeConfigVersion({ path: pathOf(version) }),
    onSuccess: (_, version) => done(`Draft ${version} was deleted.`),
    onError: notifyFailure,
  });
  return { makeLive, publish, remove };
}
