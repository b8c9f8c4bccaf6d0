import type { Component } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Difference } from "./changes.tsx";
import { Findings, isOfGate } from "./findings.tsx";
import { useVersion, useVersionCheck } from "./use-components.ts";
import { useVersionActs } from "./use-version-acts.ts";

type GoLiveProps = {
  readonly component: Component;
  /** A draft. */
  readonly version: number;
  readonly onClose: () => void;
  readonly onLive?: () => void;
};

/** The second step: what a draft changes of the live version, what is wrong with it, and whether its gate lets it through. */
export function GoLive({ component, version, onClose, onLive }: GoLiveProps) {
  const { component_id, component_type, current_version: live } = component;
  const may = useMay();
  const { publish } = useVersionActs(component);
  const check = useVersionCheck(component_id, version);
  const draft = useVersion(component_id, version);
  const before = useVersion(component_id, live);
  const faults = check.data?.faults ?? [];
  const waitsForGate = faults.some(isOfGate);
  const error = check.error ?? draft.error ?? before.error;
  const target = encodeURIComponent(`${component_type}:${component_id}`);
  const isRead = check.data && draft.data && (live === undefined || before.data);
  return (
    <Dialog title={`Publish version ${version}?`} isOpen onClose={onClose} wide>
      {error ? (
        <Failed error={error} retry={() => void Promise.all([check.refetch(), draft.refetch()])} />
      ) : !isRead ? (
        <Skeleton lines={6} />
      ) : (
        <div className="stack">
          <Findings id={component_id} version={version} />
          {faults.length === 0 && <Notice tone="good">It can run, and nothing stands in its way.</Notice>}
          {waitsForGate && may("evals:write") && (
            <div className="row">
              <ButtonLink to={`/evaluations?form=new&target=${target}&version=${version}`}>
                Evaluate it
              </ButtonLink>
            </div>
          )}
          {live === undefined ? (
            <p className="soft">It is the first version that other users can run.</p>
          ) : (
            <Difference before={before.data?.config ?? {}} after={draft.data?.config ?? {}} />
          )}
          <p>
            It is live at once{live !== undefined && `, in place of version ${live}`}, and can never be
            changed again. To go back, make an earlier version live.
          </p>
        </div>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep as it is</Button>
        <Button
          kind="main"
          isDisabled={!isRead || faults.length > 0 || publish.isPending}
          onPress={() =>
            publish.mutate(version, {
              onSuccess: () => onLive?.(),
              onSettled: onClose,
            })
          }
        >
          Publish it
        </Button>
      </div>
    </Dialog>
  );
}
