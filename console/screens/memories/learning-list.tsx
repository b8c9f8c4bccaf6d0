import { GraduationCap } from "lucide-react";
import { useMemo } from "react";
import type { Learning } from "../../../client/index.ts";
import { useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/form/fields.tsx";
import { ListFrame } from "../../parts/list/list-frame.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Empty } from "../../parts/state.tsx";
import { LearningRow, typeNames } from "./learning-row.tsx";

type LearningListProps = {
  readonly user: string;
  readonly type: string;
  readonly onChange: (changes: { readonly type?: string; readonly user?: string }) => void;
};

const typeChoices = [
  { id: "", text: "All types" },
  ...Object.entries(typeNames).map(([id, text]) => ({ id, text })),
];

/** What agents have learned: of a person, or for an admin of everything. */
export function LearningList({ user, type, onChange }: LearningListProps) {
  const { is_admin } = useMe();
  const query = useMemo(
    () => ({ ...(user && { user_id: user }), ...(type && { learning_type: type }) }),
    [user, type],
  );
  const list = usePagedList<Learning>({
    key: ["learnings", "list", query],
    read: (page, signal) => platform.listLearnings({ query: { ...query, ...page } }, { signal }),
    idOf: ({ learning_id }) => learning_id,
  });
  const { rows, total } = list;
  return (
    <>
      <div className="filters">
        <Select
          label="Type"
          choices={
            typeChoices.some(({ id }) => id === type)
              ? typeChoices
              : [...typeChoices, { id: type, text: type }]
          }
          value={type}
          onChange={(next) => onChange({ type: next })}
        />
        {is_admin && (
          <SearchField
            label="User"
            placeholder="User id"
            value={user}
            onChange={(next) => onChange({ user: next })}
          />
        )}
      </div>
      <p className="small soft">
        {total === undefined ? " " : total === 1 ? "1 learning" : `${countText(total)} learnings`}
      </p>
      <ListFrame
        className="kept-frame"
        reading={list.reading}
        count={rows.length}
        empty={
          <Empty title="Nothing has been learned" icon={<GraduationCap size={28} aria-hidden />}>
            <p>Agents whose learning is on keep here profiles, facts about things, and decisions.</p>
          </Empty>
        }
        changes={list.changes}
        onShowChanges={list.refresh}
      >
        <ul className="kept-list" aria-label="Learnings">
          {rows.map((learning) => (
            <LearningRow key={learning.learning_id} learning={learning} />
          ))}
        </ul>
        {list.reading.hasMore && <Button onPress={list.reading.onEnd}>Show more</Button>}
      </ListFrame>
    </>
  );
}
