import { Notice } from "../../parts/notice.tsx";
import { useVersionCheck } from "./use-components.ts";

type FindingsProps = { readonly id: string; readonly version: number };
type Finding = { readonly path: string; readonly message: string };

/** Whether it is a gate that is not passed: the version can run, and may not go live yet. */
export const isOfGate = ({ path }: Finding): boolean => path === "require_eval";

/** What the platform finds wrong with a stored version, and which of its settings have no effect. */
export function Findings({ id, version }: FindingsProps) {
  const { data } = useVersionCheck(id, version);
  if (!data) return null;
  const gate = data.faults.filter(isOfGate);
  const others = data.faults.filter((fault) => !isOfGate(fault));
  return (
    <>
      {others.length > 0 && (
        <Notice tone="bad">
          It cannot run:
          <List of={others} />
        </Notice>
      )}
      {gate.length > 0 && (
        <Notice tone="warn">
          It may not go live yet:
          <List of={gate} />
        </Notice>
      )}
      {data.warnings.length > 0 && (
        <Notice tone="warn">
          These settings have no effect:
          <List of={data.warnings} />
        </Notice>
      )}
    </>
  );
}

const List = ({ of: findings }: { readonly of: readonly Finding[] }) => (
  <ul>
    {findings.map(({ path, message }) => (
      <li key={`${path} ${message}`}>
        {path !== "" && <code>{path}</code>} {message}
      </li>
    ))}
  </ul>
);
