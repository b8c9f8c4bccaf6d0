import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { Select } from "../../parts/form/select.tsx";
import type { Talker } from "./use-components.ts";

type VersionSelectProps = {
  readonly of: Talker;
  readonly value: string;
  readonly onChange: (version: string) => void;
};

/** The versions of a stored component; nothing for one that is part of the deployment. */
export function VersionSelect({ of: { id, isStored, version: live }, value, onChange }: VersionSelectProps) {
  const may = useMay();
  const { data } = useQuery({
    queryKey: ["components", "versions", id, "names"],
    enabled: isStored && may("components:read", id),
    queryFn: () =>
      platform.listConfigVersions({ path: { component_id: id }, query: { include_config: false } }),
  });
  if (!data) return null;
  return (
    <div className="version-select">
      <Select
        label={`Version of ${id}`}
        hideLabel
        choices={[
          { id: "", text: live === undefined ? "Newest version" : `Live version (${live})` },
          ...data.map(({ version, stage, label }) => ({
            id: String(version),
            text: `Version ${version}`,
            about: [stage, label].filter(Boolean).join(", "),
          })),
        ]}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
